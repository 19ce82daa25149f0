/** The labelled corpus of what forms say, and how well a reader tells its two labels apart. */
import { readFileSync } from 'node:fs';
import { METHOD_ELICIT } from '../src/protocol/constants.js';
import type { CredentialReader } from '../src/protocol/credentials.js';
import { findCredential } from '../src/protocol/form-credentials.js';
import type { JsonValue } from '../src/protocol/messages.js';

export const KINDS = ['name', 'title', 'description', 'message', 'schema'] as const;
export type Kind = (typeof KINDS)[number];

/** One line of the corpus; the text of a schema is its JSON. */
export interface Row {
  readonly kind: Kind;
  readonly label: 'asks' | 'harmless';
  readonly text: string;
}

export interface Quality {
  /** Of what asks, the part that is found. */
  readonly recall: number;
  /** Of what is found, the part that asks. */
  readonly precision: number;
  readonly asks: number;
  readonly harmless: number;
  readonly missed: readonly Row[];
  readonly mistaken: readonly Row[];
}

export function readCorpus(): readonly Row[] {
  const text = readFileSync(new URL('../test/corpus/credentials.jsonl', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

export function asks({ kind, text }: Row, reader: CredentialReader): boolean {
  switch (kind) {
    case 'name':
      return reader.nameAsks(text);
    case 'title':
      return reader.titleAsks(text);
    case 'schema':
      return schemaAsks(JSON.parse(text) as JsonValue, reader);
    case 'description':
    case 'message':
      return reader.textAsks(text);
  }
}

export function measure(rows: readonly Row[], reader: CredentialReader): Quality {
  const right = rows.filter(({ label }) => label === 'asks');
  const missed = right.filter((row) => !asks(row, reader));
  const mistaken = rows.filter((row) => row.label === 'harmless' && asks(row, reader));
  const found = right.length - missed.length;
  return {
    recall: ratio(found, right.length),
    precision: ratio(found, found + mistaken.length),
    asks: right.length,
    harmless: rows.length - right.length,
    missed,
    mistaken,
  };
}

function schemaAsks(requestedSchema: JsonValue, reader: CredentialReader): boolean {
  const params = { mode: 'form', message: 'More details are needed', requestedSchema };
  const request = { key: 'q', at: '', value: null, method: METHOD_ELICIT, params };
  return findCredential(request, reader) !== undefined;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
