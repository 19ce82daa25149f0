/** Checks that look at more than one key. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isAtOrUnder, lenientPath } from '../protocol/http.js';
import {
  arrayMember,
  isObject,
  type JsonObject,
  member,
  objectMember,
  stringMember,
} from '../protocol/messages.js';
import { isLoopback, readAddress } from './address.js';
import { checkAuth, checkSeal } from './checks-seal.js';
import { type DraftRoute, type Placed, readDraftRoutes } from './draft.js';
import { certificateFault, privateKeyFault } from './formats.js';
import { type KeyPath, pathText } from './key-path.js';
import { CONFIG_SHAPE } from './keys.js';
import type { Problem } from './loaded.js';
import { metadataPath } from './metadata.js';

type Report = (at: KeyPath, message: string) => void;

/** `explicit`: the sources say all that is meant, as a file does. */
export function checkTogether(root: JsonObject, explicit: boolean): readonly Problem[] {
  const problems: Problem[] = [];
  const report: Report = (at, message) => problems.push({ path: pathText(at), message });
  const routes = readDraftRoutes(root);
  checkListeners(root, report);
  checkLimits(root, report);
  checkNames(routes, report);
  checkPaths(routes, report);
  checkPassThrough(routes, report);
  for (const route of routes) {
    checkTls(route, report);
    checkFields(route, report);
    checkTools(route, report);
    checkAuth(root, route, report);
  }
  checkSeal(root, routes, explicit, report);
  return problems;
}

function checkListeners(root: JsonObject, report: Report): void {
  const [listen, admin] = ['listen', 'admin'].map((key) =>
    readAddress(stringMember(root, key) ?? String(CONFIG_SHAPE.properties?.[key]?.default)),
  );
  if (listen === undefined || admin === undefined || listen.port === 0 || listen.port !== admin.port) return;
  const everywhere = [listen.host, admin.host].some((host) => host === '0.0.0.0' || host === '::');
  const local = isLoopback(listen.host) && isLoopback(admin.host);
  if (everywhere || listen.host === admin.host || (local && [listen.host, admin.host].includes('localhost')))
    report(['admin'], 'must not be the address of listen');
}

function checkLimits(root: JsonObject, report: Report): void {
  const limits = objectMember(root, 'limits') ?? {};
  const value = (key: string) =>
    member(limits, key) ?? CONFIG_SHAPE.properties?.limits?.properties?.[key]?.default;
  const whole = value('bufferedBytes');
  for (const key of ['requestBytes', 'responseBytes', 'eventBytes']) {
    const part = value(key);
    if (typeof whole === 'number' && typeof part === 'number' && part > whole)
      report(['limits', 'bufferedBytes'], `must be at least limits.${key}`);
  }
}

function checkNames(routes: readonly DraftRoute[], report: Report): void {
  const seen = new Map<string, Placed>();
  for (const { name } of routes) {
    if (name === undefined) continue;
    const first = seen.get(name.text);
    if (first === undefined) seen.set(name.text, name);
    else report(name.at, `is the name of ${pathText(first.at.slice(0, 2))} too`);
  }
}

/** Paths that a lenient server would take for one are one. */
function checkPaths(routes: readonly DraftRoute[], report: Report): void {
  const seen = new Map<string, string>();
  for (const { path, at } of routes) {
    if (path !== undefined)
      seen.set(lenientPath(metadataPath(path.text)), `the metadata path of ${pathText(at)}`);
  }
  for (const { path, at } of routes) {
    if (path === undefined) continue;
    const first = seen.get(lenientPath(path.text));
    if (first === undefined) seen.set(lenientPath(path.text), `the path of ${pathText(at)}`);
    else report(path.at, `is ${first} too (letter case does not count)`);
  }
}

function checkPassThrough(routes: readonly DraftRoute[], report: Report): void {
  const guarded = new Set<string>();
  const taken = new Map<string, string>();
  for (const { path, upstreamUrl, at } of routes) {
    if (path !== undefined) {
      guarded.add(lenientPath(path.text));
      taken.set(metadataPath(path.text), `the metadata path of ${pathText(at)}, which passes anyway`);
    }
    if (upstreamUrl !== undefined) guarded.add(lenientPath(upstreamUrl.pathname));
  }
  for (const entry of routes.flatMap(({ passThrough }) => passThrough)) {
    const fault = coverFault(entry.text, guarded);
    const first = taken.get(entry.text);
    if (fault !== undefined) report(entry.at, fault);
    else if (first !== undefined) report(entry.at, `is ${first}`);
    else taken.set(entry.text, `${pathText(entry.at)} too`);
  }
}

/** An entry must not open a way around the rules, and a prefix where only literal paths pass would open none at all. */
function coverFault(entry: string, guarded: ReadonlySet<string>): string | undefined {
  const plain = lenientPath(entry);
  for (const path of guarded) {
    if (plain === path) return `is the MCP path ${path}`;
    if (!entry.endsWith('/')) continue;
    if (isAtOrUnder(path, plain)) return `covers the MCP path ${path}`;
    if (isAtOrUnder(plain, path)) return `lies under the MCP path ${path}, where only literal paths pass`;
  }
  return undefined;
}

function checkTls({ upstream, upstreamUrl, at }: DraftRoute, report: Report): void {
  const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => stringMember(upstream, name));
  const here = [...at, 'upstream'];
  if (cert !== undefined && key === undefined) report([...here, 'key'], 'is required along with cert');
  if (key !== undefined && cert === undefined) report([...here, 'cert'], 'is required along with key');
  if (upstreamUrl?.protocol === 'http:' && (ca ?? cert ?? key) !== undefined)
    report([...here, 'url'], 'must be https for ca, cert and key to have a meaning');
  if (cert === undefined || key === undefined) return;
  if (certificateFault(cert) !== undefined || privateKeyFault(key) !== undefined) return;
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    report([...here, 'key'], 'is not the key of cert');
}

function checkFields({ upstream, at }: DraftRoute, report: Report): void {
  const seen = new Set<string>();
  for (const name of Object.keys(objectMember(upstream, 'headers') ?? {})) {
    if (seen.has(name.toLowerCase()))
      report([...at, 'upstream', 'headers', name], 'is named twice: letter case does not count');
    seen.add(name.toLowerCase());
  }
}

function checkTools({ source, kinds, at }: DraftRoute, report: Report): void {
  if (kinds.includes('elicitation')) return;
  for (const [name, tool] of Object.entries(objectMember(source, 'tools') ?? {})) {
    const elicits = isObject(tool) ? (arrayMember(tool, 'elicits') ?? []) : [];
    if (elicits.length > 0)
      report([...at, 'tools', name, 'elicits'], 'needs elicitation among inputRequests.kinds of the route');
  }
}
