/** A subscription, left after so long (basic/patterns/subscriptions). */
import { METHOD_LISTEN } from '../protocol/constants.js';
import type { JsonObject } from '../protocol/messages.js';
import type { Client, ExchangeOptions } from './client.js';
import type { RecordedExchange } from './record.js';
import type { RequestOptions } from './request.js';

export interface ListenOptions extends RequestOptions, Omit<ExchangeOptions, 'stopAfterMs'> {
  readonly forMs: number;
}

/** Every change that there is to hear of. */
export const EVERY_CHANGE: JsonObject = Object.freeze({
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
});

/** Its trouble is `stopped` when the time was up, and undefined when the server ended the stream first. */
export function listen(
  client: Client,
  notifications: JsonObject,
  { forMs, ...options }: ListenOptions,
): Promise<RecordedExchange> {
  const bounds = { ...options.bounds, totalMs: forMs + 10_000 };
  return client.request(METHOD_LISTEN, { notifications }, { ...options, bounds, stopAfterMs: forMs });
}
