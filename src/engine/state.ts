/** What a sealed requestState says. Types alone: whoever seals and opens knows how. */
import type { AskedInput } from '../protocol/asked.js';

/** The operation that a token belongs to: it opens for no other. */
export interface BoundOperation {
  readonly route: string;
  readonly method: string;
  /** Name of the tool or prompt, or the resource's uri. */
  readonly target: string;
  /** Who asks, as a hash; empty when nobody in particular does. */
  readonly principal: string;
  /** Digest of `params` without `_meta`, `inputResponses` and `requestState`. */
  readonly params: string;
}

/** The content of a token. Times in milliseconds since the epoch. */
export interface StateToken extends BoundOperation {
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** When the operation's first token was issued. */
  readonly firstAt: number;
  /** 1 for the operation's first token. */
  readonly round: number;
  /** JSON text of the id of the request that the token answered: `1` and `"1"` differ. */
  readonly answered: string;
  readonly asked: readonly AskedInput[];
  /** The server's own string as it was written, quotes and escapes included; undefined when it sent none. */
  readonly inner: string | undefined;
}

/** Seals and opens. Nothing of its keys can be had from it but their ids. */
export interface StateSealer {
  /** Ids of the keys that open; the first one's seals. */
  readonly keyIds: readonly string[];
  seal(content: string): string;
  /** Undefined for everything that was not sealed by one of the keys. */
  open(token: string): OpenedToken | undefined;
  /** Stands for a name in logs: the same for the same name and key, and telling nothing of it. */
  pseudonym(name: string): string;
}

export interface OpenedToken {
  readonly content: string;
  /** What no other token has, and is no secret. */
  readonly serial: string;
}

/** Makes the token for a message on its way out: what the server sent as its state, and what it asks for. */
export type SealState = (inner: string | undefined, asked: readonly AskedInput[]) => string;

/** Remembers which tokens were used. */
export interface SpentTokens {
  /** True once for each serial within `forMs` milliseconds. Rejects when it cannot be found out, or not in time. */
  spend(serial: string, forMs: number, options?: SpendOptions): Promise<boolean>;
  close(): Promise<void>;
}

export interface SpendOptions {
  /** When the token was issued, in milliseconds since the epoch. */
  readonly issuedAt?: number;
  /** What is found out too late is taken back where possible, as the token was then not used. */
  readonly undoLate?: boolean;
}
