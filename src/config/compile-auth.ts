/** From the configuration to how callers are identified, and what the gateway says of itself as a protected resource. */
import type { AuthPolicy, JwksSource, Protected } from '../engine/identity.js';
import type { ProtectedResource } from '../engine/plan.js';
import type { AuthConfig } from './auth-schema.js';
import { metadataPath } from './metadata.js';
import type { RouteConfig } from './route-schema.js';

interface Seen {
  /** The resource as clients know it: `publicUrl` and the route's path. */
  readonly resource: URL | undefined;
}

export function compileAuth({ auth, path }: RouteConfig, publicUrl: URL | undefined): AuthPolicy {
  const seen = { resource: resourceUrl(publicUrl, path) };
  switch (auth.mode) {
    case 'none':
      return { mode: 'none' };
    case 'passthrough':
      return {
        mode: 'passthrough',
        credential: auth.credential.toLowerCase(),
        claim: auth.claim ?? undefined,
        proxyHeader: auth.proxyHeader?.toLowerCase(),
      };
    case 'bearer':
      return { ...compileProtected(auth, seen), mode: 'bearer', tokens: compileTokens(auth.tokens) };
    case 'jwt':
      return {
        ...compileProtected(auth, seen),
        mode: 'jwt',
        issuer: auth.issuer ?? '',
        audience: auth.audience.length > 0 ? auth.audience : [hrefOf(seen.resource) ?? ''],
        keys: compileJwks(auth.jwks ?? ''),
        algorithms: auth.algorithms,
        leewaySeconds: auth.leewaySeconds,
        claim: auth.claim ?? 'sub',
      };
  }
}

/** RFC 9728 section 2. */
export function compileResource(
  { auth, path }: RouteConfig,
  publicUrl: URL | undefined,
): ProtectedResource | undefined {
  if (auth.mode !== 'bearer' && auth.mode !== 'jwt') return undefined;
  const resource = resourceUrl(publicUrl, path);
  const own = metadataPath(path);
  if (resource === undefined) return { metadataPaths: [own], metadata: undefined };
  const servers = authorizationServers(auth);
  const metadata = {
    resource: hrefOf(resource),
    ...(servers.length > 0 && { authorization_servers: servers }),
    ...(auth.scopes.length > 0 && { scopes_supported: auth.scopes }),
    bearer_methods_supported: ['header'],
  };
  const seen = metadataPath(resource.pathname);
  return { metadataPaths: own === seen ? [own] : [own, seen], metadata: JSON.stringify(metadata) };
}

function compileProtected(auth: AuthConfig, { resource }: Seen): Protected {
  return {
    scopes: auth.scopes,
    metadataUrl: resource && resource.origin + metadataPath(resource.pathname),
    forwardAuthorization: auth.forwardAuthorization,
  };
}

function compileTokens(tokens: AuthConfig['tokens']) {
  return Object.entries(tokens).flatMap(([name, hashes]) =>
    hashes.map((hash) => ({ name, hash: Buffer.from(hash.slice('sha256:'.length), 'hex') })),
  );
}

function compileJwks(jwks: string): JwksSource {
  return jwks.trimStart().startsWith('{') ? { set: jwks } : { url: new URL(jwks) };
}

function authorizationServers(auth: AuthConfig): readonly string[] {
  if (auth.authorizationServers.length > 0) return auth.authorizationServers;
  return auth.issuer === null ? [] : [auth.issuer];
}

function resourceUrl(publicUrl: URL | undefined, path: string): URL | undefined {
  if (publicUrl === undefined) return undefined;
  const prefix = publicUrl.pathname.replace(/\/+$/, '');
  return new URL(prefix + path, publicUrl);
}

/** Without the slash that stands for no path at all. */
function hrefOf(resource: URL | undefined): string | undefined {
  return resource?.pathname === '/' ? resource.origin : resource?.href;
}
