/** HTTP facts that need no library: request targets, field names that stop at a proxy. */

/** RFC 9110 section 7.6.1, and the obsolete Proxy-Connection. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const MAX_DECODINGS = 16;

/** The pathname of an origin-form target (RFC 9112 section 3.2.1); undefined for any other form, `\` and `#`. */
export function pathnameOf(target: string): string | undefined {
  if (target.charCodeAt(0) !== 0x2f || target.includes('\\') || target.includes('#')) return undefined;
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/**
 * What the most lenient server could take a pathname for: percent-decoded until nothing changes, `\` as `/`, `;…` of each
 * segment dropped, slashes merged, dot segments removed, no trailing slash, lower case.
 */
export function lenientPath(pathname: string): string {
  const kept: string[] = [];
  for (const segment of bareSegments(pathname)) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') kept.pop();
    else kept.push(segment);
  }
  return `/${kept.join('/')}`.toLowerCase();
}

/** Could any server see a dot segment in it? Where that leads depends on what else the server takes for a slash. */
export function hasDotSegment(pathname: string): boolean {
  return bareSegments(pathname).some((segment) => segment === '.' || segment === '..');
}

function bareSegments(pathname: string): readonly string[] {
  let decoded = pathname;
  for (let round = 0; round < MAX_DECODINGS; round += 1) {
    const next = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === decoded) break;
    decoded = next;
  }
  const segments = decoded.replaceAll('\\', '/').split('/');
  return segments.map((segment) => segment.split(';', 1)[0] as string);
}

/** Does `path` equal `other` or lie under it? Nothing lies under `/`. */
export function isAtOrUnder(path: string, other: string): boolean {
  if (path === other) return true;
  return other !== '/' && path.startsWith(`${other}/`);
}

/** Lower-case names that the Connection field's values name. */
export function connectionNames(values: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const value of values) {
    for (const token of value.split(',')) {
      const name = token.trim().toLowerCase();
      if (name !== '') names.push(name);
    }
  }
  return names;
}
