/** Which requestStates a recording saw issued, and for what: a gateway that sealed them would know it by their seal. */
import type { StateOpening } from '../engine/exchange.js';
import { type AskedInput, askedInputs } from '../protocol/asked.js';
import type { InputRequest } from '../protocol/input-requests.js';
import { type ClientMessage, stringMember } from '../protocol/messages.js';
import { targetOf } from '../protocol/mirrored.js';

interface Issued {
  readonly method: string;
  readonly target: string;
  readonly asked: readonly AskedInput[];
}

const MOST_STATES = 10_000;

export class SeenStates {
  readonly #issued = new Map<string, Issued>();

  issued(state: string, { method, ...message }: ClientMessage, asked: readonly InputRequest[]): void {
    this.#issued.delete(state);
    this.#issued.set(state, { method, target: targetOf({ method, ...message }), asked: askedInputs(asked) });
    const [oldest] = this.#issued.keys();
    if (this.#issued.size > MOST_STATES && oldest !== undefined) this.#issued.delete(oldest);
  }

  /** Undefined: nobody can tell whether a gateway would take it. */
  opening(message: ClientMessage, route: string): StateOpening | undefined {
    const issued = this.#issued.get(stringMember(message.params, 'requestState') ?? '');
    if (issued === undefined) return undefined;
    const { method, target, asked } = issued;
    if (message.method !== method || targetOf(message) !== target) return { verdict: 'moved' };
    const times = { issuedAt: 0, expiresAt: 0, firstAt: 0, round: 1 };
    const token = {
      route,
      method,
      target,
      principal: '',
      params: '',
      ...times,
      answered: '',
      asked,
      inner: undefined,
    };
    return { verdict: 'accepted', token, serial: '' };
  }
}
