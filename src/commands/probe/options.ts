/** From flags to what a client needs. Every problem is collected; whoever reads flags throws them as one UsageError. */
import { readFileSync } from 'node:fs';
import type { FieldValues } from '../../client/request.js';
import type { Problem } from '../../config/loaded.js';
import type { Environment } from '../../config/resolve.js';
import { TASKS_EXTENSION } from '../../protocol/constants.js';
import { isLegalValue } from '../../protocol/headers.js';
import type { JsonObject, JsonValue } from '../../protocol/messages.js';

/** Flags that say which server is meant and how it is spoken to; `check` takes them too. */
export interface TargetFlags {
  readonly port?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly bearer?: string | undefined;
  readonly timeout?: string | undefined;
}

export interface CapabilityFlags {
  readonly elicit?: string | undefined;
  readonly capability?: readonly string[] | undefined;
}

export interface Target {
  readonly url: URL;
  readonly headers: FieldValues;
  readonly totalMs: number;
  /** Never printed. */
  readonly secrets: readonly string[];
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Fields that are the connection's own. */
const OWN: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect'],
]);
const SECRET_FIELD = /auth|cookie|token|secret|key|session/i;
const DEFAULT_TIMEOUT_S = 30;

export function readTarget(
  url: string | undefined,
  flags: TargetFlags,
  env: Environment,
  problems: Problem[],
): Target {
  const secrets: string[] = [];
  const headers: [string, string][] = [];
  for (const line of flags.header ?? []) {
    const [, name = '', value = ''] = /^([^:]*):[\t ]*(.*?)[\t ]*$/s.exec(line) ?? [];
    if (!TOKEN.test(name) || !isLegalValue(value))
      problems.push({ path: '--header', message: "expected 'Name: value'" });
    else if (OWN.has(name.toLowerCase()))
      problems.push({ path: '--header', message: `${name} is the connection's own` });
    else headers.push([name, value]);
    if (SECRET_FIELD.test(name)) secrets.push(value, value.replace(/^\S+\s+/, ''));
  }
  const token = flags.bearer === undefined ? undefined : readBearer(flags.bearer, env, problems);
  if (token !== undefined) {
    headers.push(['Authorization', `Bearer ${token}`]);
    secrets.push(token);
  }
  return {
    url: readUrl(url, flags.port, problems),
    headers: Object.fromEntries(headers),
    totalMs: readTimeout(flags.timeout, problems),
    secrets: secrets.filter((secret) => secret.length >= 4),
  };
}

function readUrl(text: string | undefined, port: string | undefined, problems: Problem[]): URL {
  const nowhere = new URL('http://127.0.0.1/mcp');
  const fail = (path: string, message: string) => {
    problems.push({ path, message });
    return nowhere;
  };
  if (port !== undefined) {
    if (text !== undefined) return fail('--port', 'stands for a URL, and there is one');
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      return fail('--port', 'expected a number from 1 to 65535');
    return new URL(`http://127.0.0.1:${port}/mcp`);
  }
  if (text === undefined)
    return fail('', 'which server? Give its URL, or --port N for http://127.0.0.1:N/mcp');
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    return fail('URL', 'expected an http or https URL, for example http://127.0.0.1:9719/mcp');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return fail('URL', 'has a user in it; use --header or --bearer instead');
  url.hash = '';
  return url;
}

/** `env:NAME` and `file:PATH` keep a token out of the process list and the shell's history. */
function readBearer(text: string, env: Environment, problems: Problem[]): string | undefined {
  const fail = (message: string) => {
    problems.push({ path: '--bearer', message });
    return undefined;
  };
  const [, kind, name = ''] = /^(env|file):(.+)$/.exec(text) ?? [];
  let token: string | undefined = text;
  if (kind === 'env') token = env[name];
  if (kind === 'file') token = readToken(name);
  if (token === undefined) return fail(`${kind === 'env' ? 'the variable' : 'the file'} cannot be read`);
  return /^[\x21-\x7e]+$/.test(token)
    ? token
    : fail('the token is empty or has characters that a header cannot hold');
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function readTimeout(text: string | undefined, problems: Problem[]): number {
  const seconds = text === undefined ? DEFAULT_TIMEOUT_S : Number(text);
  if (Number.isFinite(seconds) && seconds > 0 && seconds <= 86_400) return seconds * 1_000;
  problems.push({ path: '--timeout', message: 'expected a number of seconds' });
  return DEFAULT_TIMEOUT_S * 1_000;
}

export const ELICIT_WORDS = ['form', 'url', 'form,url', 'none'] as const;
export const CAPABILITY_WORDS = ['sampling', 'roots', 'tasks'] as const;

const CAPABILITIES: Readonly<Record<(typeof CAPABILITY_WORDS)[number], readonly [string, JsonValue]>> = {
  sampling: ['sampling', {}],
  roots: ['roots', {}],
  tasks: ['extensions', { [TASKS_EXTENSION]: {} }],
};

/** What is declared on every request. The empty string declares `elicitation: {}`, which stands for form. */
export function readCapabilityFlags(
  { elicit = 'form', capability = [] }: CapabilityFlags,
  problems: Problem[],
): JsonObject {
  const declared: [string, JsonValue][] = [];
  const modes = elicit.split(',').map((mode) => mode.trim());
  if (elicit.trim() === '') declared.push(['elicitation', {}]);
  else if (modes.every((mode) => mode === 'form' || mode === 'url'))
    declared.push(['elicitation', Object.fromEntries(modes.map((mode) => [mode, {}]))]);
  else if (elicit !== 'none')
    problems.push({ path: '--elicit', message: `expected one of ${ELICIT_WORDS.join(' | ')}, or '' for {}` });
  for (const name of capability.flatMap((names) => names.split(','))) {
    const known = CAPABILITIES[name.trim() as keyof typeof CAPABILITIES];
    if (known === undefined)
      problems.push({ path: '--capability', message: `expected one of ${CAPABILITY_WORDS.join(', ')}` });
    else declared.push([known[0], known[1]]);
  }
  return Object.fromEntries(declared);
}
