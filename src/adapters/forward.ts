/** The way to the upstream: undici's pools, one request an exchange. */
import { Pool } from 'undici';
import type { Timeouts, Upstream } from '../engine/plan.js';
import { Answer } from './answer.js';

export interface OutgoingRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: Buffer | null;
  readonly headersMs: number;
  /** Its answer is a subscription, which stays open. */
  readonly lasting: boolean;
}

/**
 * One upstream's connections. Closing waits for the exchanges that still use them. undici looks through the busy ones of
 * a pool for a free one, so subscriptions, thousands of which stay busy, have a pool of their own: docs/decisions/0016.
 */
export class Forwarder {
  readonly #exchanges: Pool;
  readonly #subscriptions: Pool;

  constructor(upstream: Upstream, timeouts: Timeouts, maxResponseHeaderBytes = 65_536) {
    const { origin } = upstream.url;
    const options = poolOptions(upstream, timeouts, maxResponseHeaderBytes);
    this.#exchanges = new Pool(origin, options);
    this.#subscriptions = new Pool(origin, options);
  }

  send({ method, path, headers, body, headersMs, lasting }: OutgoingRequest): Answer {
    const answer = new Answer(headersMs);
    const pool = lasting ? this.#subscriptions : this.#exchanges;
    pool.dispatch({ method, path, headers, body }, answer);
    return answer;
  }

  async close(): Promise<void> {
    await Promise.all([this.#exchanges.close(), this.#subscriptions.close()]);
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#exchanges.destroy(), this.#subscriptions.destroy()]);
  }
}

function poolOptions(
  { url, ca, cert, key }: Upstream,
  { connectMs }: Timeouts,
  maxHeaderSize: number,
): Pool.Options {
  const tls = url.protocol === 'https:';
  return {
    connect: {
      timeout: connectMs,
      ...(tls && ca !== undefined && { ca }),
      ...(tls && cert !== undefined && { cert, key }),
    },
    pipelining: 1,
    maxHeaderSize,
    // A timer of undici's stays for half a second after its request, long enough to be promoted: docs/decisions/0015.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}
