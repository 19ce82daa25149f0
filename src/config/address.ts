import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { isLoopbackHost, parseAuthority } from '../protocol/origins.js';

/** Where a listener binds. `host` carries no brackets. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const ADDRESS = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/;

/** Reads `HOST:PORT`, `[::1]:0` among them; undefined for any other text. */
export function readAddress(text: string): Address | undefined {
  const [, bracketed, plain, digits] = ADDRESS.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > 65_535) return undefined;
  if (bracketed !== undefined && !isIPv6(bracketed)) return undefined;
  if (plain !== undefined && /^[\d.]+$/.test(plain) && !isIPv4(plain)) return undefined;
  return { host, port };
}

/** The address that a checked configuration names. */
export function parseAddress(text: string): Address {
  const address = readAddress(text);
  if (address === undefined) throw new Error('not an address: the configuration was not checked');
  return address;
}

export function addressFault(text: string): string | undefined {
  if (readAddress(text) !== undefined) return undefined;
  if (isIPv6(text.replace(/:\d+$/, '')) || isIPv6(text))
    return 'expected HOST:PORT with an IPv6 host in brackets, for example [::1]:9719';
  return 'expected HOST:PORT, for example 127.0.0.1:9719 or [::1]:0';
}

/** Does a listener on this host serve the machine itself alone? */
export function isLoopback(host: string): boolean {
  const plain = mappedIpv4(host) ?? host.toLowerCase();
  return isLoopbackHost(plain.includes(':') ? `[${plain}]` : plain);
}

export function hostFault(text: string): string | undefined {
  if (text.includes('*')) return 'wildcards are not supported: name each host';
  if (text.includes('/')) return 'expected a host without scheme or path, for example mcp.example.com';
  if (text !== text.toLowerCase()) return 'expected lower case';
  return parseAuthority(text) !== undefined
    ? undefined
    : 'expected HOST or HOST:PORT, for example mcp.example.com';
}

/** An IP address or a network in CIDR form; undefined for any other text. */
export function readNetwork(text: string): { address: string; prefix: number; family: 4 | 6 } | undefined {
  const [address, prefix, rest] = text.split('/');
  const family = isIP(address ?? '');
  if (address === undefined || rest !== undefined || address.includes('%')) return undefined;
  if (family !== 4 && family !== 6) return undefined;
  const bits = family === 4 ? 32 : 128;
  if (prefix === undefined) return { address, prefix: bits, family };
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined;
  return { address, prefix: Number(prefix), family };
}

export function networkFault(text: string): string | undefined {
  if (readNetwork(text) !== undefined) return undefined;
  return 'expected an IP address or a network, for example 10.0.0.7 or 10.0.0.0/8';
}

/** Does a peer address lie in one of the networks? IPv4-mapped IPv6 addresses count as the IPv4 address. */
export function compileNetworks(networks: readonly string[]): (address: string | undefined) => boolean {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const text of networks) {
    const network = readNetwork(text);
    if (network === undefined) continue;
    const mapped = mappedIpv4(network.address);
    if (mapped === undefined || network.prefix < 96)
      list.addSubnet(network.address, network.prefix, network.family === 4 ? 'ipv4' : 'ipv6');
    else list.addSubnet(mapped, network.prefix - 96, 'ipv4');
  }
  return (address) => {
    if (address === undefined) return false;
    const bare = address.split('%', 1)[0] as string;
    const plain = mappedIpv4(bare) ?? bare;
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
  };
}

function mappedIpv4(address: string): string | undefined {
  const tail = /^::ffff:(.+)$/i.exec(address)?.[1];
  if (tail === undefined) return undefined;
  if (isIPv4(tail)) return tail;
  const [, high, low] = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(tail) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
}
