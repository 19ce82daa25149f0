/** From sources to one checked configuration. Reads files and nothing else; every problem is reported, not only the first. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { arrayMember, isObject, type JsonObject, type JsonValue } from '../protocol/messages.js';
import { checkTogether } from './checks.js';
import { readEnvironment } from './environment.js';
import { type Flags, readFlags } from './flags.js';
import { problemsOf, sentenceOf } from './issues.js';
import { type KeyPath, pathText } from './key-path.js';
import { ConfigError, type LoadedConfig, type Origin, type Problem } from './loaded.js';
import { applyOverlays, type Overlay } from './overlays.js';
import { codeOf, type Environment, Resolver } from './resolve.js';
import { configSchema } from './schema.js';
import { parseSource } from './source.js';

export interface Sources {
  readonly flags: Flags;
  readonly env: Environment;
  /** A file's text; throws as node:fs does. */
  readonly readFile?: (file: string) => string;
}

/** Flags over variables over the file over defaults. Throws ConfigError with every problem. */
export function loadConfig({ flags, env, readFile = readText }: Sources): LoadedConfig {
  const problems: Problem[] = [];
  const file = flags.config;
  const source = file === undefined ? {} : readSource(file, readFile, problems);
  const folder = file === undefined ? '.' : dirname(file);
  const resolver = new Resolver({ env, folder, readFile }, problems);
  const root = resolver.object(source ?? {});
  const overlays = [...readEnvironment(env, problems)];
  const routes = Math.max(routesOf(root), 1 + Math.max(-1, ...overlays.map(routeIndex)));
  overlays.push(...readFlags(flags, routes, problems));
  if (source === undefined) throw new ConfigError(problems);
  const loaded = check(root, overlays, resolver, problems, file !== undefined);
  return file === undefined ? loaded : { ...loaded, files: [file, ...loaded.files] };
}

/** A configuration given as an object, for the library: no variables, no flags; `{ file }` starts from `folder`. Throws ConfigError. */
export function loadObject(input: unknown, folder = '.'): LoadedConfig {
  const problems: Problem[] = [];
  const source = input as JsonValue;
  if (!isObject(source))
    throw new ConfigError([{ path: '', message: 'expected an object of configuration keys' }]);
  const resolver = new Resolver({ env: undefined, folder, readFile: readText }, problems);
  return check(resolver.object(source), [], resolver, problems, false);
}

function check(
  root: Record<string, JsonValue>,
  overlays: readonly Overlay[],
  resolver: Resolver,
  problems: Problem[],
  explicit: boolean,
): LoadedConfig {
  const bare = spellOutShortForms(root, overlays);
  applyOverlays(root, overlays, problems);
  const found = new Set(problems.map(({ path }) => path));
  const parsed = configSchema.safeParse(root, { error: sentenceOf });
  for (const { path, message } of [
    ...problemsOf(parsed.error?.issues ?? []),
    ...checkTogether(root, explicit),
  ]) {
    const place = bare.get(path) ?? path;
    if (!found.has(place)) problems.push({ path: place, message: message + sourceOf(path, overlays) });
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  const origins = originsOf(root, overlays);
  return {
    config: freeze(parsed.data),
    origins,
    written: writtenInFile(resolver.written, bare, origins),
    files: resolver.files,
  };
}

/** Keys of a route that may be written as the one text that matters most in them. */
const SHORT_FORMS = [
  ['upstream', 'url'],
  ['auth', 'mode'],
] as const;

/** Makes `upstream: URL` the object that it stands for. Returns which keys' problems belong to `upstream` itself. */
function spellOutShortForms(
  root: Record<string, JsonValue>,
  overlays: readonly Overlay[],
): ReadonlyMap<string, string> {
  const bare = new Map<string, string>();
  const note = (path: KeyPath, name: string) => bare.set(pathText([...path, name]), pathText(path));
  for (const [index, route] of (arrayMember(root, 'routes') ?? []).entries()) {
    for (const [key, name] of SHORT_FORMS) {
      if (!isObject(route) || typeof route[key] !== 'string') continue;
      (route as Record<string, JsonValue>)[key] = { [name]: route[key] };
      note(['routes', index, key], name);
    }
  }
  for (const { path } of overlays) if (path.length === 3 && path[2] === 'upstream') note(path, 'url');
  return bare;
}

function sourceOf(path: string, overlays: readonly Overlay[]): string {
  const covers = (text: string) => path.startsWith(text) && ['', '.', '['].includes(path.charAt(text.length));
  const overlay = overlays.findLast((one) => covers(pathText(one.path)));
  return overlay === undefined ? '' : ` (from ${overlay.source})`;
}

/** The origin of every value that a source gives, by its path. */
function originsOf(root: JsonObject, overlays: readonly Overlay[]): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  const note = (value: JsonValue, path: KeyPath): void => {
    if (isObject(value)) for (const [name, below] of Object.entries(value)) note(below, [...path, name]);
    else if (Array.isArray(value) && value.some(isObject)) {
      for (const [index, below] of value.entries()) note(below, [...path, index]);
    } else
      origins.set(pathText(path), overlays.findLast((one) => isWithin(path, one.path))?.origin ?? 'file');
  };
  note(root, []);
  return origins;
}

function isWithin(path: KeyPath, above: KeyPath): boolean {
  return above.every((name, index) => path[index] === name);
}

function writtenInFile(
  written: ReadonlyMap<string, JsonValue>,
  bare: ReadonlyMap<string, string>,
  origins: ReadonlyMap<string, Origin>,
): ReadonlyMap<string, JsonValue> {
  const spelt = new Map([...bare].map(([full, short]) => [short, full]));
  const kept = new Map<string, JsonValue>();
  for (const [path, value] of written) {
    const full = spelt.get(path) ?? path;
    // Entries of a list have no origin of their own; the list's is under its own path.
    if ((origins.get(full) ?? origins.get(full.replace(/\[\d+\]$/, ''))) === 'file') kept.set(full, value);
  }
  return kept;
}

function routesOf(root: JsonObject): number {
  return arrayMember(root, 'routes')?.length ?? 0;
}

function routeIndex({ path }: Overlay): number {
  return path[0] === 'routes' && typeof path[1] === 'number' ? path[1] : -1;
}

function readSource(
  file: string,
  readFile: (file: string) => string,
  problems: Problem[],
): JsonObject | undefined {
  let text: string;
  try {
    text = readFile(file);
  } catch (error) {
    problems.push({ path: file, message: `the file cannot be read (${codeOf(error)})` });
    return undefined;
  }
  return parseSource(text, file, problems);
}

function readText(file: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const below of Object.values(value)) freeze(below);
  }
  return value;
}
