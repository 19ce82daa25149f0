import type { JsonValue } from './messages.js';

/** Why bytes could not become one unambiguous JSON value. A closed set: it labels findings, never quotes the bytes. */
export type ReadFault =
  | 'too-large'
  | 'media-type'
  | 'coding'
  | 'charset'
  | 'redirect'
  | 'not-utf8'
  | 'bom'
  | 'empty'
  | 'not-json'
  | 'duplicate-member'
  | 'variant-member'
  | 'too-deep'
  | 'error-shape';

/** Bytes and what they say. With a fault the value is whatever could still be read (for the id), or undefined. */
export interface Reading {
  readonly bytes: Buffer;
  readonly text: string;
  readonly value: JsonValue | undefined;
  /** Deepest nesting of arrays and objects; a scalar is 0. */
  readonly depth: number;
  readonly fault: ReadFault | undefined;
  /** JSON Pointer of the fault where known (escaped, at most 200 characters); else ''. */
  readonly at: string;
}
