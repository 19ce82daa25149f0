/**
 * The configurations of a soak. Each valid one is of the next generation and says so to the upstream, whose answers
 * name it: an exchange shows which configuration it ran under. Even and odd generations differ in what they refuse.
 */
import { createHash } from 'node:crypto';
import { compile } from '../../src/config/compile.js';
import { loadObject } from '../../src/config/load.js';
import type { GatewayPlan } from '../../src/engine/plan.js';

export const GENERATION = 'x-soak-generation';
export const SMALL_LIMIT = 2_097_152;
export const LARGE_LIMIT = 4_194_304;
export const TOKENS = { ada: 'token-of-ada', grace: 'token-of-grace' } as const;

const KEYS = ['soak key 1', 'soak key 2'].map((text) =>
  createHash('sha256').update(text).digest('base64url'),
);
/** Rules that are in report by default. */
const STRICT = {
  'form-has-no-link': 'enforce',
  'url-https': 'enforce',
  'result-type-present': 'enforce',
  'param-headers-legal': 'enforce',
};

export interface Upstreams {
  readonly port: number;
  /** Nobody listens here. */
  readonly deadPort: number;
}

export function isEven(generation: number): boolean {
  return generation % 2 === 0;
}

export function configOf(generation: number, { port, deadPort }: Upstreams): Record<string, unknown> {
  const even = isEven(generation);
  const upstream = (path: string) => ({
    url: `http://127.0.0.1:${port}/${path}`,
    headers: { [GENERATION]: String(generation) },
  });
  const route = (name: string, more: object) => ({
    name,
    path: `/${name}`,
    upstream: upstream(name),
    ...more,
  });
  const hashed = (token: string) => [`sha256:${createHash('sha256').update(token).digest('hex')}`];
  const tokens = { ada: hashed(TOKENS.ada), grace: hashed(TOKENS.grace) };
  const extra = even ? [] : [route('extra', {})];
  return {
    listen: '127.0.0.1:0',
    admin: '127.0.0.1:0',
    seal: { keys: even ? [...KEYS].reverse() : KEYS },
    limits: { requestBytes: even ? SMALL_LIMIT : LARGE_LIMIT },
    timeouts: { headersMs: 5_000, bodyIdleMs: 5_000, ssePingMs: 2_000 },
    routes: [
      route('ze', { profile: 'ze', tools: { ze_execute: { elicits: ['command'] } } }),
      route('plain', { profile: 'ze' }),
      route('judged', { requestState: 'relay', passThrough: ['/docs/'], ...(even && { rules: STRICT }) }),
      route('sealed', { requestState: 'seal' }),
      route('once', {
        requestState: 'seal',
        seal: { singleUse: true, ttlSeconds: 30, operationSeconds: 60 },
      }),
      route('named', { requestState: 'seal', auth: { mode: 'bearer', tokens } }),
      { name: 'dead', path: '/dead', upstream: `http://127.0.0.1:${deadPort}/` },
      ...extra,
    ],
  };
}

/** What an operator may get wrong; none of them may come into force. */
export const INVALID: readonly ((valid: Record<string, unknown>) => string)[] = [
  (valid) => JSON.stringify({ ...valid, lisen: '127.0.0.1:1' }),
  (valid) => JSON.stringify(valid).slice(0, 700),
  (valid) => JSON.stringify({ ...valid, routes: [] }),
];

/** The plan of one route alone, for judging without HTTP. */
export function planOf(name: string, generation: number): GatewayPlan {
  const config = configOf(generation, { port: 1, deadPort: 2 });
  const routes = (config.routes as readonly { readonly name: string }[]).filter((one) => one.name === name);
  return compile(loadObject({ ...config, routes }).config);
}
