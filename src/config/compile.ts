/** From a checked configuration to what the gateway runs on: tables, rule lists, frozen. Pure. */
import type { OriginPolicy } from '../engine/exchange.js';
import type { GatewayPlan, RoutePlan, Upstream } from '../engine/plan.js';
import type { RewriteId, RoutePolicy } from '../engine/policy.js';
import type { ActiveRule, Rule, Stage } from '../engine/rule.js';
import { REVISION } from '../protocol/constants.js';
import { compileCredentialReader } from '../protocol/credentials.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../rules/index.js';
import { compileNetworks, isLoopback, parseAddress } from './address.js';
import { metadataPath } from './metadata.js';
import { PROFILES } from './profiles.js';
import type { RouteConfig } from './route-schema.js';
import type { Config } from './schema.js';

const REWRITES: readonly RewriteId[] = ['tools-list-required', 'list-scope-private', 'discover-versions'];

export function compile(config: Config): GatewayPlan {
  return Object.freeze({
    routes: Object.freeze(config.routes.map(compileRoute)),
    origins: compileOrigins(config, config.listen),
    publicUrl: config.publicUrl === null ? undefined : new URL(config.publicUrl),
    trustsProxy: compileNetworks(config.trustedProxies),
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

function compileRoute(route: RouteConfig): RoutePlan {
  const upstream = compileUpstream(route.upstream);
  return Object.freeze({
    policy: compilePolicy(route),
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

function compilePolicy(route: RouteConfig): RoutePolicy {
  const { inputRequests, formSubset, broadNames } = PROFILES[route.profile];
  return Object.freeze({
    name: route.name,
    path: route.path,
    profile: route.profile,
    mode: route.mode,
    requestState: route.requestState,
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

/** A rule's own key wins over mode report, which wins over the profile; nothing wins over a lock. */
export function activeRules<S extends Stage>(
  register: readonly Rule<S>[],
  { rules, profile, mode }: Pick<RouteConfig, 'rules' | 'profile' | 'mode'>,
): readonly ActiveRule<S>[] {
  const active: ActiveRule<S>[] = [];
  for (const rule of register) {
    const standard = rule.severity[profile];
    const softened = mode === 'report' && standard === 'enforce' ? 'report' : standard;
    const severity = rule.locked === undefined ? (rules[rule.id] ?? softened) : 'enforce';
    if (severity !== 'off') active.push(Object.freeze({ rule, severity }));
  }
  return Object.freeze(active);
}

function activeRewrites({ rewrites, mode }: RouteConfig): ReadonlySet<RewriteId> {
  const chosen: Readonly<Record<string, 'on' | 'off' | undefined>> = rewrites;
  const standard = mode === 'report' ? 'off' : 'on';
  return new Set(REWRITES.filter((id) => (chosen[id] ?? standard) === 'on'));
}
