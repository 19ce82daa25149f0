const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where the metadata of a protected resource at a path stands (RFC 9728 section 3.1). */
export function metadataPath(path: string): string {
  return path === '/' ? WELL_KNOWN : WELL_KNOWN + path;
}
