/** Puts in what values refer to: `${NAME}` in text, and `{ file: path }` where a key takes a file's content. */
import { isAbsolute, join } from 'node:path';
import { isArray, isObject, type JsonObject, type JsonValue } from '../protocol/messages.js';
import { parseKey } from '../seal/key.js';
import { type KeyPath, pathText } from './key-path.js';
import { shapeAt } from './keys.js';
import type { Problem } from './loaded.js';

const MAX_DEPTH = 32;
const REFERENCE = /\$(\$\{|\{([^}]*)(\}?))/g;
const MALFORMED = `a reference is written \${NAME}; write $\${ for the two characters themselves`;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Surroundings {
  /** Undefined: text is taken as it is. */
  readonly env: Environment | undefined;
  /** Folder that file names start from. */
  readonly folder: string;
  readonly readFile: (file: string) => string;
}

export class Resolver {
  readonly written = new Map<string, JsonValue>();
  readonly files: string[] = [];
  readonly #around: Surroundings;
  readonly #problems: Problem[];

  constructor(around: Surroundings, problems: Problem[]) {
    this.#around = around;
    this.#problems = problems;
  }

  /** A copy with every reference resolved. Members without a value (null) are left out: they count as not set. */
  object(source: JsonObject, path: KeyPath = []): Record<string, JsonValue> {
    const copy: Record<string, JsonValue> = {};
    if (path.length > MAX_DEPTH) {
      this.#problem(path.slice(0, 4), 'is nested too deeply');
      return copy;
    }
    for (const [name, value] of Object.entries(source)) {
      if (name === '__proto__') this.#problem([...path, name], 'this name cannot be configured');
      else if (value !== null && value !== undefined) copy[name] = this.#value(value, [...path, name]);
    }
    return copy;
  }

  #value(value: JsonValue, path: KeyPath): JsonValue {
    if (typeof value === 'string') return this.#text(value, path);
    if (isArray(value))
      return path.length > MAX_DEPTH ? [] : value.map((one, index) => this.#value(one, [...path, index]));
    if (!isObject(value)) return value;
    const resolved = this.object(value, path);
    const file = Object.keys(resolved).length === 1 ? resolved.file : undefined;
    return typeof file === 'string' && shapeAt(path)?.file === true
      ? this.#content(file, path, value)
      : resolved;
  }

  #text(text: string, path: KeyPath): string {
    const { env } = this.#around;
    if (env === undefined || !text.includes('${')) return text;
    this.written.set(pathText(path), text);
    return text.replace(REFERENCE, (whole: string, begin: string, name: string | undefined, end: string) => {
      if (begin === '${') return begin;
      if (end === '' || name === undefined || !VARIABLE.test(name)) {
        this.#problem(path, MALFORMED);
        return whole;
      }
      const value = env[name];
      if (value === undefined) this.#problem(path, `the environment variable ${name} is not set`);
      return value ?? '';
    });
  }

  #content(file: string, path: KeyPath, written: JsonObject): string {
    const full = isAbsolute(file) ? file : join(this.#around.folder, file);
    this.written.set(pathText(path), { file });
    this.files.push(full);
    try {
      return this.#around.readFile(full).replace(/\r?\n$/, '');
    } catch (error) {
      const named = written.file === file ? full : String(written.file);
      const shown = parseKey(file) !== undefined && named === full ? 'whose name looks like a key' : named;
      this.#problem(path, `the file ${shown} cannot be read (${codeOf(error)})`);
      return '';
    }
  }

  #problem(path: KeyPath, message: string): void {
    this.#problems.push({ path: pathText(path), message });
  }
}

/** Why a file cannot be read, in one word: the system's code. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'not UTF-8 text';
}
