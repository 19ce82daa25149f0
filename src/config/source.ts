/** A configuration file as text: YAML, and JSON as the part of YAML that it is. Messages never quote the file. */
import { Lexer, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { isObject, type JsonObject, type JsonValue } from '../protocol/messages.js';
import type { Problem } from './loaded.js';

const MAX_CHARACTERS = 1_048_576;
const MAX_ALIASES = 100;
const MAX_FLOW_DEPTH = 64;

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['BAD_ALIAS', 'an alias is malformed'],
  ['BAD_DQ_ESCAPE', 'unknown escape in double quotes'],
  ['BAD_INDENT', 'the indentation does not fit the lines before'],
  ['BAD_SCALAR_START', 'text that begins so needs quotes'],
  ['BLOCK_AS_IMPLICIT_KEY', 'a second `key:` on one line; does the value need quotes?'],
  ['BLOCK_IN_FLOW', 'an indented block stands within brackets'],
  ['DUPLICATE_KEY', 'the key is written twice'],
  ['KEY_OVER_1024_CHARS', 'the key is too long'],
  ['MISSING_CHAR', 'a quote, bracket, comma or space is missing'],
  ['MULTILINE_IMPLICIT_KEY', 'the key runs over several lines'],
  ['MULTIPLE_DOCS', 'the file holds more than one document'],
  ['NON_STRING_KEY', 'keys must be text'],
  ['RESOURCE_EXHAUSTION', 'the file is nested too deeply'],
  ['TAB_AS_INDENT', 'a tab stands where spaces must indent'],
  ['TAG_RESOLVE_FAILED', 'tags are not supported'],
  ['UNEXPECTED_TOKEN', 'not expected here; does a value need quotes?'],
]);

/** The file's object, or undefined after noting what is wrong, line and column first. An empty file is an empty object. */
export function parseSource(text: string, file: string, problems: Problem[]): JsonObject | undefined {
  const fault = text.length > MAX_CHARACTERS ? 'the file is larger than 1 MiB' : nestingFault(text);
  if (fault !== undefined) {
    problems.push({ path: file, message: fault });
    return undefined;
  }
  const lines = new LineCounter();
  const options = { prettyErrors: false, stringKeys: true, merge: true, resolveKnownTags: false } as const;
  const document = parseDocument(text, { ...options, version: '1.2', logLevel: 'error', lineCounter: lines });
  const errors = [...document.errors, ...document.warnings];
  for (const error of errors) problems.push(problemAt(error, file, lines));
  if (errors.length > 0) return undefined;
  try {
    const value = document.toJS({ maxAliasCount: MAX_ALIASES }) as JsonValue;
    if (isObject(value) || value === null) return value ?? {};
    problems.push({ path: file, message: 'expected an object of configuration keys' });
  } catch {
    problems.push({
      path: file,
      message: 'an alias or merge names nothing usable, or there are too many of them',
    });
  }
  return undefined;
}

function problemAt(error: YAMLError, file: string, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(error.pos[0]);
  return { path: `${file}:${line}:${col}`, message: SENTENCES.get(error.code) ?? 'not valid YAML' };
}

/** Thousands of open brackets exhaust the parser's memory before it can say so. */
function nestingFault(text: string): string | undefined {
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > MAX_FLOW_DEPTH) return 'the file is nested too deeply';
  }
  return undefined;
}
