export type CredentialPlace = 'name' | 'title' | 'description' | 'message' | 'format' | 'writeOnly';

/** Judges whether a form asks for a secret. Compiled once per route from profile, added words and exceptions. */
export interface CredentialReader {
  /** A property name (also in `required`, also nested). */
  readonly nameAsks: (name: string) => boolean;
  /** A title: a short label. */
  readonly titleAsks: (title: string) => boolean;
  /** A description or message: prose that may ask for a secret or merely mention one. */
  readonly textAsks: (text: string) => boolean;
}

export interface CredentialWords {
  /** Ze's broad substring reading of names on top of the word reading. */
  readonly broadNames: boolean;
  readonly words: readonly string[];
  readonly except: readonly string[];
}
