/** One request of an audit, before it has a shape and an id. */
import type { Outgoing, RequestOptions } from '../client/request.js';
import { METHOD_TOOLS_CALL } from '../protocol/constants.js';
import { type JsonObject, stringMember } from '../protocol/messages.js';
import { targetOf } from '../protocol/mirrored.js';
import type { Known, Question } from './known.js';
import { type Action, sampleAnswers } from './sample-answers.js';
import type { ShapeName } from './shapes.js';

export interface Asking {
  readonly method: string;
  readonly params: JsonObject;
  /** What it is about, for the evidence: a tool's name, a uri. As it came, to be shown escaped. */
  readonly about: string;
  readonly meta?: RequestOptions['meta'];
  readonly headers?: RequestOptions['headers'];
  readonly id?: string;
  /** For what no option can say: the last word on what is sent. */
  readonly edit?: (outgoing: Outgoing) => Outgoing;
  /** In the place of the entry's own shapes: a retry keeps that of its question. */
  readonly shape?: ShapeName;
  /** To wait before it is sent. */
  readonly pauseMs?: number;
  /** Answers given before this one, when it is a retry in a row of them. */
  readonly round?: number;
}

/** A name that nothing has: what asks for it harms nobody. */
export const NOBODY = 'mrtr-gateway-check-nothing';

export function ask(method: string, params: JsonObject = {}, more: Partial<Asking> = {}): Asking {
  const about = targetOf({ method, params, envelope: {}, id: undefined, meta: {} });
  return { method, params, about, ...more };
}

export function callWithout(tool: JsonObject, more: Partial<Asking> = {}): Asking {
  return ask(METHOD_TOOLS_CALL, { name: stringMember(tool, 'name') ?? '', arguments: {} }, more);
}

/** A call that a server which does not look at header fields may carry out: of a tool that may be called, else of none. */
export function harmlessCall({ callable }: Known, more: Partial<Asking> = {}): Asking {
  return callWithout(callable[0] ?? { name: NOBODY }, more);
}

/** The request again, with answers. `requestState` is the server's own unless another is given. */
export function retry(
  { method, params, shape, asked, requestState }: Question,
  answers: Action | 'omit' | JsonObject,
  more: Partial<Asking> & { readonly requestState?: string } = {},
): Asking {
  const { requestState: other, ...rest } = more;
  const state = other ?? requestState;
  const inputResponses =
    typeof answers !== 'string' ? answers : answers === 'omit' ? {} : sampleAnswers(asked, answers);
  const first = withoutAnswers(params);
  const retried = { ...first, inputResponses, ...(state !== undefined && { requestState: state }) };
  return ask(method, retried, { shape, ...rest });
}

function withoutAnswers(params: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(params).filter(([name]) => name !== 'inputResponses' && name !== 'requestState'),
  );
}
