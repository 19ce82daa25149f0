/** What an explanation of a rule consists of beyond the rule itself: data that a test holds against the register. */
import type { FieldValues } from '../client/request.js';
import type { JsonObject, JsonValue } from '../protocol/messages.js';

/** What the client sends: a conforming tools/call, but for what is said here. */
export interface RequestExample {
  readonly method?: string;
  /** Members of `params` beside `_meta`. */
  readonly params?: JsonObject;
  readonly capabilities?: JsonObject;
  /** Laid over `_meta`; undefined takes a member away. */
  readonly meta?: Readonly<Record<string, JsonValue | undefined>>;
  /** Laid over the head; undefined takes a field away. */
  readonly headers?: FieldValues;
  /** The body, word for word, in the place of the message. */
  readonly body?: string;
}

/** What the server answers. */
export interface AnswerExample {
  /** 200 unless given. */
  readonly status?: number;
  /** The media type: JSON unless given. */
  readonly type?: string;
  /** With the request's id around it. */
  readonly result?: JsonObject;
  readonly error?: JsonObject;
  /** A whole message, for any other. */
  readonly message?: JsonObject;
  /** A body, word for word, for what is no message. */
  readonly body?: string;
  /** The message is one event of a stream, after the acknowledgement unless `first`. */
  readonly event?: 'first' | 'later';
}

export interface Example {
  /** What it is, in a few words. */
  readonly says: string;
  readonly request?: RequestExample;
  readonly answer?: AnswerExample;
  /** What the sealed state that the request carries was issued with: `inputRequests` by key. */
  readonly sealedFor?: JsonObject;
}

export interface Explanation {
  /** Why it must hold: what happens where it does not. */
  readonly why: string;
  /** Keys of the route, and beside `routes`, that the examples need. */
  readonly route?: JsonObject;
  readonly config?: JsonObject;
  readonly bad: Example;
  readonly good: Example;
  /** Configuration beyond the rule's own key that changes what it refuses: a line of YAML and what it does. */
  readonly tune?: readonly (readonly [yaml: string, says: string])[];
}

/** By rule. */
export type Explanations = Readonly<Record<string, Explanation>>;
