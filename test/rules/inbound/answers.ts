/** A retry whose sealed state says what was asked. */
import type { Exchange } from '../../../src/engine/exchange.js';
import type { AskedInput } from '../../../src/protocol/asked.js';
import { askedInputs } from '../../../src/protocol/asked.js';
import { readInputRequests } from '../../../src/protocol/input-requests.js';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { accepted, exchange, inputRequired } from '../fixtures.js';

/** What is kept of these input requests. */
export function askedFor(inputRequests: JsonValue): readonly AskedInput[] {
  return askedInputs(readInputRequests(inputRequired(inputRequests).message));
}

export function form(properties: JsonObject, required: readonly string[] = []): JsonObject {
  const requestedSchema = { type: 'object', properties, required };
  return { method: 'elicitation/create', params: { mode: 'form', message: '?', requestedSchema } };
}

export const URL_REQUEST: JsonObject = {
  method: 'elicitation/create',
  params: { mode: 'url', message: '?', url: 'https://example.com/' },
};

export function retry(inputRequests: JsonValue, inputResponses: JsonValue): Exchange {
  return exchange({
    params: { name: 'book', arguments: {}, requestState: 'token', inputResponses },
    facts: { state: accepted({ asked: askedFor(inputRequests) }) },
  });
}

/** The same answers without a sealed state to hold them against. */
export function unsealed(inputResponses: JsonValue): Exchange {
  return exchange({ params: { name: 'book', arguments: {}, inputResponses } });
}
