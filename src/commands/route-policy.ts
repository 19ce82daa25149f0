/** Which rules a command judges by: a route of a configuration, or a profile as it is. */
import { compile } from '../config/compile.js';
import { loadConfig, loadObject } from '../config/load.js';
import type { Problem } from '../config/loaded.js';
import { suggestion } from '../config/nearest.js';
import type { Environment } from '../config/resolve.js';
import type { RoutePolicy } from '../engine/policy.js';

export interface PolicyFlags {
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
  readonly route?: string | undefined;
}

/** Stands for an upstream that nothing is sent to. */
const NOWHERE = 'http://127.0.0.1/mcp';

/** Every route that the flags leave, at least one. Throws ConfigError; what is wrong with the flags is added to `problems`. */
export function readPolicies(
  { config, profile, route }: PolicyFlags,
  env: Environment,
  problems: Problem[],
): readonly RoutePolicy[] {
  if (profile !== undefined && profile !== 'ze' && profile !== 'spec')
    problems.push({
      path: '--profile',
      message: `expected ze or spec${suggestion(profile, ['ze', 'spec'])}`,
    });
  if (profile !== undefined && config !== undefined)
    problems.push({ path: '--profile', message: 'stands in the configuration; give one of the two' });
  if (route !== undefined && config === undefined)
    problems.push({ path: '--route', message: 'names a route of --config, which is missing' });
  if (problems.length > 0) return [ofProfile(undefined)];
  if (config === undefined) return [ofProfile(profile)];
  const policies = compile(loadConfig({ flags: { config }, env }).config).routes.map((one) => one.policy);
  if (route === undefined) return policies;
  const named = policies.filter(({ name }) => name === route);
  const names = policies.map(({ name }) => name);
  if (named.length === 0)
    problems.push({
      path: '--route',
      message: `there is none of this name${suggestion(route, names) || `; there are ${names.join(', ')}`}`,
    });
  return named.length === 0 ? policies : named;
}

function ofProfile(profile: string | undefined): RoutePolicy {
  const { config } = loadObject({ routes: [{ upstream: NOWHERE, profile: profile ?? 'spec' }] });
  const [route] = compile(config).routes;
  if (route === undefined) throw new Error('a configuration has at least one route');
  return route.policy;
}
