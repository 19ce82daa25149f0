/** Origin and Host as browsers and clients send them (RFC 6454 section 6.1, RFC 9110 section 7.2). Values in lower case. */

export interface Authority {
  /** Name, IPv4 address, or IPv6 address in brackets. */
  readonly host: string;
  /** Digits; undefined when the port is left out. */
  readonly port: string | undefined;
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(?::([0-9]{1,5}))?$/;
const WEB_ORIGIN = /^https?:\/\/([^/]+)$/;
const IPV4_LOOPBACK = /^127(?:\.(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}$/;

/** `host` or `host:port`. Undefined for anything else: user information, a list, escapes, white space, an empty port. */
export function parseAuthority(value: string): Authority | undefined {
  const parts = AUTHORITY.exec(value.toLowerCase());
  return parts === null ? undefined : { host: parts[1] as string, port: parts[2] };
}

/** localhost and the names under it (RFC 6761 section 6.3), 127.0.0.0/8 and [::1]. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || IPV4_LOOPBACK.test(host);
}

/** An http or https origin of the machine itself, on any port. */
export function isLoopbackOrigin(origin: string): boolean {
  const authority = parseAuthority(WEB_ORIGIN.exec(origin.toLowerCase())?.[1] ?? '');
  return authority !== undefined && isLoopbackHost(authority.host);
}
