/** A server that protects nothing: it asks until it is given a state, and believes whatever state it is given. */
import type { GatewayOptions } from '../../src/index.js';
import { generateKey } from '../../src/seal/key.js';
import { type CallOptions, callTool, type Received } from '../support/client.js';
import { type Gateway, type GatewayConfig, startGateway } from '../support/pair.js';
import { type Reply, resultReply, type UpstreamRequest } from '../support/upstream.js';

export const KEY = generateKey();
export const OTHER_KEY = generateKey();

export const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export const FORM = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'How many?',
    requestedSchema: {
      type: 'object',
      properties: { seats: { type: 'integer', minimum: 1, maximum: 9 } },
      required: ['seats'],
    },
  },
};

export const ACCEPT = { ask: { action: 'accept', content: { seats: 2 } } };

export interface Ask {
  readonly inputRequests?: object;
  readonly requestState?: string;
}

/** Asks so, round after round, as long as there are asks; then says what state it was given. */
export function asking(...asks: readonly Ask[]): (request: UpstreamRequest) => Reply {
  const rounds = asks.length > 0 ? asks : [{ inputRequests: { ask: FORM }, requestState: 'round:1' }];
  return (request) => {
    const { requestState, inputResponses } = request.json().params ?? {};
    const answered = requestState !== undefined || inputResponses !== undefined;
    const round = answered ? rounds.findIndex((ask) => ask.requestState === requestState) + 1 : 0;
    const next = rounds[round];
    if (next !== undefined) return resultReply(request, { resultType: 'input_required', ...next });
    return resultReply(request, { resultType: 'complete', content: [], structuredContent: { requestState } });
  };
}

/** A gateway that seals with `KEY`, or as the keys say. */
export function startSealing(
  upstream: string,
  config: GatewayConfig = {},
  options: GatewayOptions = {},
): Promise<Gateway> {
  const { seal, route, ...keys } = config;
  const standard = { seal: { keys: [KEY], ...(seal as object) }, route: { requestState: 'seal', ...route } };
  return startGateway(upstream, { ...standard, ...keys }, options);
}

export function book(
  url: string,
  options: CallOptions = {},
  args: object = { city: 'Ghent' },
): Promise<Received> {
  return callTool(url, 'book', { ...args }, { capabilities: CAPABILITIES, ...options });
}

/** The token that the first round ends with. */
export async function tokenOf(url: string, options: CallOptions = {}): Promise<string> {
  const { message } = await book(url, options);
  return message.result.requestState as string;
}

/** The second round: a call of its own id, with the token and an answer. */
export function answer(url: string, requestState: unknown, options: CallOptions = {}): Promise<Received> {
  const { params, ...more } = options;
  return book(url, { id: 2, ...more, params: { inputResponses: ACCEPT, requestState, ...params } });
}
