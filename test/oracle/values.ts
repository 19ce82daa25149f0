/** Parsed JSON, and the answers of an oracle that knows where the documents are silent. */
import { readFileSync } from 'node:fs';

export type Json = string | number | boolean | null | readonly Json[] | JsonMap;
export interface JsonMap {
  readonly [name: string]: Json;
}

/** `maybe`: the documents leave it open, so either is right. */
export type Answer = 'yes' | 'maybe' | 'no';

export interface Finding {
  /** Any of these may be named. */
  readonly rules: readonly string[];
  readonly code: number;
  readonly statuses: readonly number[];
  readonly holds: Answer;
  /** What else the error says: which capability was missing, or which versions there are. */
  readonly data?: JsonMap;
}

interface Definition {
  readonly properties?: Readonly<Record<string, unknown>>;
}
export interface RevisionSchema {
  readonly $defs: Readonly<Record<string, Definition>>;
}

export const SCHEMA = JSON.parse(
  readFileSync(new URL('../data/mcp-2026-07-28.schema.json', import.meta.url), 'utf8'),
) as RevisionSchema;

export const REVISION = '2026-07-28';
export const META = 'io.modelcontextprotocol/';
export const TASKS = 'io.modelcontextprotocol/tasks';
export const TASKS_REQUIRED: JsonMap = { requiredCapabilities: { extensions: { [TASKS]: {} } } };
/** The methods that may be answered with a question. */
export const ASKING = ['tools/call', 'prompts/get', 'resources/read'];

export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

export function own(map: Json | undefined, name: string): Json | undefined {
  return isMap(map) && Object.hasOwn(map, name) ? map[name] : undefined;
}

export function holdsName(map: Json | undefined, name: string): boolean {
  return isMap(map) && Object.hasOwn(map, name);
}

export function mapOf(map: Json | undefined, name: string): JsonMap {
  const value = own(map, name);
  return isMap(value) ? value : {};
}

/** Names of the properties of these definitions of the revision's schema. */
export function namesIn(...definitions: readonly string[]): readonly string[] {
  return definitions.flatMap((name) => Object.keys(SCHEMA.$defs[name]?.properties ?? {}));
}

/** Some member is spelt almost like one of the names, and is none of them. */
export function hasVariant(map: Json | undefined, names: readonly string[], fold = folded): boolean {
  if (!isMap(map)) return false;
  const known = names.map(fold);
  return Object.keys(map).some((name) => !names.includes(name) && known.includes(fold(name)));
}

export function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase();
}

/** Half of a surrogate pair is no text that can be sent in UTF-8: readers show it in their own way, most as U+FFFD. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

export function answerOf(condition: boolean, otherwise: Answer = 'no'): Answer {
  return condition ? 'yes' : otherwise;
}

/** What the findings may lead to: every one that is open, up to the first that is certain. */
export function possible(findings: readonly Finding[]): { findings: readonly Finding[]; certain: boolean } {
  const held = findings.filter(({ holds }) => holds !== 'no');
  const first = held.findIndex(({ holds }) => holds === 'yes');
  return { findings: first < 0 ? held : held.slice(0, first + 1), certain: first >= 0 };
}
