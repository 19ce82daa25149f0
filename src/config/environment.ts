/** Environment variables, whose names are derived from the keys. */
import type { JsonValue } from '../protocol/messages.js';
import type { KeyPath } from './key-path.js';
import { ANY, CONFIG_KEYS, type ConfigKey, VARIABLE_PREFIX } from './keys.js';
import type { Problem } from './loaded.js';
import { suggestion } from './nearest.js';
import type { Overlay } from './overlays.js';
import type { Environment } from './resolve.js';

const ROUTE = /^MRTR_GATEWAY_ROUTES_(\d{1,3})_/;
const BY_VARIABLE: ReadonlyMap<string, ConfigKey> = new Map(
  CONFIG_KEYS.flatMap((key) => (key.variable === undefined ? [] : [[key.variable, key] as const])),
);
/** What Kubernetes sets for Services whose names begin with mrtr-gateway. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;

/** The configuration variables as overlays, ordered by route. An empty variable counts as not set. */
export function readEnvironment(env: Environment, problems: Problem[]): readonly Overlay[] {
  const overlays: Overlay[] = [];
  for (const name of Object.keys(env).filter(isOurs).sort(byRouteThenName)) {
    const text = env[name];
    if (text === undefined || text === '') continue;
    const route = ROUTE.exec(name)?.[1];
    const key = BY_VARIABLE.get(name.replace(ROUTE, 'MRTR_GATEWAY_ROUTES_<n>_'));
    if (key === undefined) problems.push({ path: name, message: unknownVariable(name, route) });
    else {
      const value = readValue(key, text);
      if (value === undefined) problems.push({ path: name, message: `expected ${wanted(key)}` });
      else overlays.push({ path: pathOf(key, route), value, origin: 'env', source: name });
    }
  }
  return overlays;
}

/** Do variables configure a route? */
export function namesRoute(env: Environment): boolean {
  return Object.keys(env).some((name) => ROUTE.test(name) && env[name] !== '');
}

function isOurs(name: string): boolean {
  return name.startsWith(VARIABLE_PREFIX) && !SERVICE_LINK.test(name);
}

function unknownVariable(name: string, route: string | undefined): string {
  const known = [...BY_VARIABLE.keys()].map((variable) => variable.replace('<n>', route ?? '0'));
  return `unknown variable${suggestion(name, known)}`;
}

function pathOf(key: ConfigKey, route: string | undefined): KeyPath {
  return key.path.map((name) => (name === ANY ? Number(route) : name));
}

function readValue({ kind, shape }: ConfigKey, text: string): JsonValue | undefined {
  if (kind === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (kind === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  if (kind === 'section') return { url: text };
  if (kind !== 'list') return text;
  const entries = text.split(',').map((entry) => entry.trim());
  return shape.items === undefined ? undefined : entries.filter((entry) => entry !== '');
}

function wanted({ kind }: ConfigKey): string {
  return kind === 'number' ? 'a whole number' : 'true or false';
}

/** A shorter name first, so that an upstream's URL is set before its parts; route 2 before route 10. */
function byRouteThenName(one: string, other: string): number {
  const route = (name: string) => Number(ROUTE.exec(name)?.[1] ?? -1);
  return route(one) - route(other) || one.length - other.length || (one < other ? -1 : 1);
}
