/** From a checked configuration to what the gateway runs on: tables, rule lists, frozen. Pure. */
import type { OriginPolicy } from '../engine/exchange.js';
import type { GatewayPlan, RoutePlan, SealPlan, Upstream } from '../engine/plan.js';
import type { RewriteId, RoutePolicy, SealPolicy } from '../engine/policy.js';
import type { ActiveRule, Rule, Stage } from '../engine/rule.js';
import { REVISION } from '../protocol/constants.js';
import { compileCredentialReader } from '../protocol/credentials.js';
import { requestStateAccepted } from '../rules/inbound/request-state-accepted.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../rules/index.js';
import { parseKey } from '../seal/key.js';
import { KeyRing } from '../seal/ring.js';
import { compileNetworks, isLoopback, parseAddress } from './address.js';
import { compileAuth, compileResource } from './compile-auth.js';
import { metadataPath } from './metadata.js';
import { PROFILES } from './profiles.js';
import type { RouteConfig } from './route-schema.js';
import type { Config } from './schema.js';
import type { RouteSealConfig, SealConfig } from './seal-schema.js';

const REWRITES: readonly RewriteId[] = ['tools-list-required', 'list-scope-private', 'discover-versions'];

const SEAL_REWRITES: readonly RewriteId[] = ['open-request-state', 'seal-request-state'];

export function compile(config: Config): GatewayPlan {
  const publicUrl = config.publicUrl === null ? undefined : new URL(config.publicUrl);
  return Object.freeze({
    routes: Object.freeze(config.routes.map((route) => compileRoute(route, config.seal, publicUrl))),
    origins: compileOrigins(config, config.listen),
    publicUrl,
    trustsProxy: compileNetworks(config.trustedProxies),
    seal: compileSeal(config.seal),
    limits: Object.freeze({ ...config.limits }),
    timeouts: Object.freeze({ ...config.timeouts }),
    log: Object.freeze({ ...config.log }),
  });
}

/** The admin listener's: off loopback it checks no Host, since probes and Prometheus come by address. */
export function compileAdminOrigins(config: Config): OriginPolicy {
  const origins = compileOrigins(config, config.admin);
  return Object.freeze({ ...origins, checkHost: origins.loopback });
}

function compileOrigins({ publicUrl, allowedOrigins, allowedHosts }: Config, listen: string): OriginPolicy {
  const loopback = isLoopback(parseAddress(listen).host);
  const url = publicUrl === null ? undefined : new URL(publicUrl);
  return Object.freeze({
    loopback,
    origins: new Set([...allowedOrigins, ...(url === undefined ? [] : [url.origin])]),
    // A name without a port stands for any port.
    hosts: new Set([...allowedHosts, ...(url === undefined ? [] : [url.hostname])]),
    checkHost: loopback || url !== undefined || allowedHosts.length > 0,
  });
}

function compileSeal({ keys, redis }: SealConfig): SealPlan {
  const parsed = keys.flatMap((key) => parseKey(key) ?? []);
  return Object.freeze({
    sealer: parsed.length > 0 ? new KeyRing(parsed) : undefined,
    redis: redis ?? undefined,
  });
}

function compileRoute(route: RouteConfig, seal: SealConfig, publicUrl: URL | undefined): RoutePlan {
  const upstream = compileUpstream(route.upstream);
  return Object.freeze({
    policy: compilePolicy(route, seal),
    auth: Object.freeze(compileAuth(route, publicUrl)),
    resource: compileResource(route, publicUrl),
    upstream,
    passThrough: Object.freeze([...route.passThrough]),
    metadata: Object.freeze({
      path: metadataPath(route.path),
      upstreamPath: metadataPath(upstream.url.pathname),
    }),
  });
}

function compileUpstream({ url, ca, cert, key, headers }: RouteConfig['upstream']): Upstream {
  return Object.freeze({
    url: new URL(url),
    ca: ca ?? undefined,
    cert: cert ?? undefined,
    key: key ?? undefined,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  });
}

function compilePolicy(route: RouteConfig, seal: SealConfig): RoutePolicy {
  const { inputRequests, formSubset, broadNames } = PROFILES[route.profile];
  return Object.freeze({
    name: route.name,
    path: route.path,
    profile: route.profile,
    mode: route.mode,
    requestState: route.requestState,
    seal: route.requestState === 'seal' ? compileSealPolicy(route.seal, seal) : undefined,
    tools: new Map(Object.entries(route.tools)),
    inputRequests: Object.freeze({
      max: route.inputRequests.max,
      kinds: new Set(route.inputRequests.kinds),
      modes: new Set(inputRequests.modes),
      modeStated: inputRequests.modeStated,
    }),
    formSubset,
    credentials: compileCredentialReader({ broadNames, ...route.credentials }),
    legacy: route.legacy,
    capabilityErrorStatus: route.capabilityErrorStatus,
    versions: Object.freeze([REVISION]),
    rules: Object.freeze({
      admit: activeRules(ADMIT, route),
      parse: activeRules(PARSE, route),
      inbound: activeRules(INBOUND, route),
      outbound: activeRules(OUTBOUND, route),
    }),
    rewrites: activeRewrites(route),
    listTtlMs: route.listTtlMs ?? undefined,
  });
}

function compileSealPolicy(own: RouteSealConfig, standard: SealConfig): SealPolicy {
  return Object.freeze({
    ttlMs: 1000 * (own.ttlSeconds ?? standard.ttlSeconds),
    operationMs: 1000 * (own.operationSeconds ?? standard.operationSeconds),
    maxRounds: own.maxRounds ?? standard.maxRounds,
    maxBytes: own.maxBytes ?? standard.maxBytes,
    always: own.always ?? standard.always,
    singleUse: own.singleUse ?? standard.singleUse,
    storeFailure: own.storeFailure ?? standard.storeFailure,
  });
}

/** A rule's own key wins over mode report, which wins over the profile; nothing wins over a lock. */
export function activeRules<S extends Stage>(
  register: readonly Rule<S>[],
  {
    rules,
    profile,
    mode,
    requestState,
  }: Pick<RouteConfig, 'rules' | 'profile' | 'mode'> & Partial<Pick<RouteConfig, 'requestState'>>,
): readonly ActiveRule<S>[] {
  const active: ActiveRule<S>[] = [];
  for (const rule of register) {
    const standard = rule.severity[profile];
    const softened = mode === 'report' && standard === 'enforce' ? 'report' : standard;
    const locked =
      rule.locked !== undefined || (requestState === 'seal' && rule.id === requestStateAccepted.id);
    const severity = locked ? 'enforce' : (rules[rule.id] ?? softened);
    if (severity !== 'off') active.push(Object.freeze({ rule, severity }));
  }
  return Object.freeze(active);
}

function activeRewrites({ rewrites, mode, requestState }: RouteConfig): ReadonlySet<RewriteId> {
  const chosen: Readonly<Record<string, 'on' | 'off' | undefined>> = rewrites;
  const standard = mode === 'report' ? 'off' : 'on';
  const chosenOn = REWRITES.filter((id) => (chosen[id] ?? standard) === 'on');
  return new Set(requestState === 'seal' ? [...chosenOn, ...SEAL_REWRITES] : chosenOn);
}
