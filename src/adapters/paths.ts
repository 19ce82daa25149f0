import type { GatewayPlan, RoutePlan } from '../engine/plan.js';
import { hasDotSegment, isAtOrUnder, lenientPath, pathnameOf } from '../protocol/http.js';

/** What a request target is: the MCP endpoint of a route, something to pass through, a disguise, or none of ours. */
export type Destination =
  | { readonly kind: 'mcp'; readonly route: RoutePlan }
  | { readonly kind: 'pass-through'; readonly route: RoutePlan; readonly upstreamPath: string }
  | { readonly kind: 'metadata'; readonly route: RoutePlan; readonly metadata: string | undefined }
  | { readonly kind: 'disguised' }
  | { readonly kind: 'unknown' };

const UNKNOWN: Destination = { kind: 'unknown' };
const DISGUISED: Destination = { kind: 'disguised' };

/** The closed table of paths that a plan serves. Everything that is not in it is refused unforwarded. */
export class PathTable {
  readonly #mcp = new Map<string, Destination>();
  readonly #metadata = new Map<string, Destination>();
  readonly #literal = new Map<string, Destination & { kind: 'pass-through' }>();
  /** The longest first. */
  readonly #prefixes: { readonly prefix: string; readonly route: RoutePlan }[] = [];
  /** Lenient forms of every MCP path, the routes' and the upstreams'. */
  readonly #guarded = new Set<string>();

  constructor(plan: GatewayPlan) {
    for (const route of plan.routes) {
      const { resource } = route;
      for (const own of resource?.metadataPaths ?? [])
        this.#metadata.set(own, { kind: 'metadata', route, metadata: resource?.metadata });
      this.#mcp.set(route.policy.path, { kind: 'mcp', route });
      this.#guarded.add(lenientPath(route.policy.path));
      this.#guarded.add(lenientPath(route.upstream.url.pathname));
      const { path, upstreamPath } = route.metadata;
      this.#literal.set(path, { kind: 'pass-through', route, upstreamPath });
      for (const entry of route.passThrough) {
        if (entry.endsWith('/')) this.#prefixes.push({ prefix: entry, route });
        else this.#literal.set(entry, { kind: 'pass-through', route, upstreamPath: entry });
      }
    }
    this.#prefixes.sort((one, other) => other.prefix.length - one.prefix.length);
  }

  /** `target` as on the request line. */
  find(target: string): Destination {
    const pathname = pathnameOf(target);
    if (pathname === undefined) return DISGUISED;
    const mcp = this.#mcp.get(pathname);
    if (mcp !== undefined) return mcp;
    const metadata = this.#metadata.get(pathname);
    if (metadata !== undefined) return metadata;
    const query = target.slice(pathname.length);
    const literal = this.#literal.get(pathname);
    if (literal !== undefined) return { ...literal, upstreamPath: literal.upstreamPath + query };
    const lenient = lenientPath(pathname);
    for (const guarded of this.#guarded) if (isAtOrUnder(lenient, guarded)) return DISGUISED;
    for (const entry of this.#prefixes) {
      if (!pathname.startsWith(entry.prefix) || hasDotSegment(pathname)) continue;
      return { kind: 'pass-through', route: entry.route, upstreamPath: target };
    }
    return UNKNOWN;
  }
}
