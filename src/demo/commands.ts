/** What the stand-in's daemon prints: a small BGP speaker in a laboratory (addresses of RFC 5737, numbers of RFC 5398). */

const PEERS = [
  { address: '192.0.2.1', asn: 64496, state: 'established', up: '3d04h12m', received: 912, sent: 37 },
  { address: '192.0.2.2', asn: 64497, state: 'established', up: '3d04h11m', received: 880, sent: 37 },
  { address: '198.51.100.7', asn: 64511, state: 'active', up: '-', received: 0, sent: 0 },
] as const;

const ROUTES = [
  { prefix: '192.0.2.0/24', nextHop: '192.0.2.1', path: '64496' },
  { prefix: '198.51.100.0/24', nextHop: '192.0.2.1', path: '64496 64500' },
  { prefix: '203.0.113.0/24', nextHop: '192.0.2.2', path: '64497 64500 64505' },
] as const;

const RELOAD_COMMAND = 'daemon reload';

export interface CommandOutput {
  readonly text: string;
  readonly failed: boolean;
  /** The daemon reloaded its configuration: its tools may have changed. */
  readonly reloaded: boolean;
}

const COMMANDS: ReadonlyMap<string, () => string> = new Map([
  ['show bgp summary', summary],
  ['show bgp peer list', peerList],
  ['show bgp rib', ribDump],
  ['show version', () => 'ze demo stand-in'],
  [RELOAD_COMMAND, () => 'configuration reloaded'],
]);

/** Runs a command; letter case and repeated spaces do not matter. */
export function runCommand(command: string): CommandOutput {
  const name = command.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const run = COMMANDS.get(name);
  if (run !== undefined) return { text: run(), failed: false, reloaded: name === RELOAD_COMMAND };
  const known = [...COMMANDS.keys()].join(', ');
  return { text: `unknown command; this stand-in knows: ${known}`, failed: true, reloaded: false };
}

export function peerList(): string {
  return PEERS.map((peer) => `${peer.address} AS${peer.asn} ${peer.state}`).join('\n');
}

export function ribDump(): string {
  const rows = ROUTES.map((route) => [route.prefix, route.nextHop, route.path]);
  return table([['Prefix', 'Next hop', 'AS path'], ...rows]);
}

function summary(): string {
  const rows = PEERS.map((peer) => [
    peer.address,
    String(peer.asn),
    peer.state,
    peer.up,
    String(peer.received),
    String(peer.sent),
  ]);
  const head = 'BGP router identifier 192.0.2.254, local AS number 64510';
  return `${head}\n${table([['Neighbor', 'AS', 'State', 'Up', 'PfxRcd', 'PfxSnt'], ...rows])}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
