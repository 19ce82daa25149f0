/** The built binary as an operator runs it: audit log to a file, metrics on. */
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { COLLECTING_FLAGS, collected } from '../lab/heap.js';
import { end, launch, type Part } from '../lab/processes.js';
import type { Site, Subject, SubjectKind } from './subject.js';

export interface GatewayOptions {
  readonly route: Readonly<Record<string, unknown>>;
  /** Other keys of the configuration. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A port of its own choice unless given. */
  readonly listenPort?: number;
  /** Its garbage can be collected. */
  readonly collects?: boolean;
  readonly part?: Part;
}

export interface Gateway extends Subject {
  readonly child: ChildProcess;
  readonly adminUrl: string;
}

const SEALING = { ephemeral: true, ttlSeconds: 86_400, operationSeconds: 2_592_000 };

export async function startGateway(name: string, site: Site, options: GatewayOptions): Promise<Gateway> {
  const upstream = `http://127.0.0.1:${site.upstreamPort}/mcp`;
  const file = join(site.folder, `${name}.json`);
  const configuration = {
    listen: `127.0.0.1:${options.listenPort ?? 0}`,
    admin: '127.0.0.1:0',
    routes: [{ upstream, ...options.route }],
    seal: SEALING,
    ...options.settings,
  };
  writeFileSync(file, JSON.stringify(configuration));
  const log = join(site.folder, `${name}.log`);
  writeFileSync(log, '');
  const out = openSync(log, 'a');
  const channel = options.collects ? ['ipc' as const] : [];
  const command = [process.execPath, ...nodeFlags(site, options), 'dist/cli.js', 'serve', '--config', file];
  const child = launch(options.part ?? 'subject', command, ['ignore', out, 'inherit', ...channel]);
  closeSync(out);
  const { url, adminUrl } = await listening(log, child);
  const port = Number(new URL(url).port);
  const prepare = () => truncateSync(log);
  return {
    ...{ child, adminUrl, port, prepare },
    pids: [child.pid ?? 0],
    ...(options.collects && { collect: () => collected(child) }),
    stop: () => end(child),
  };
}

function nodeFlags({ profileFolder }: Site, { collects }: GatewayOptions): readonly string[] {
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  return [...profiling, ...(collects ? COLLECTING_FLAGS : [])];
}

async function listening(log: string, child: ChildProcess): Promise<{ url: string; adminUrl: string }> {
  while (child.exitCode === null) {
    const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    const found = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'listening');
    if (found !== undefined) return found;
    await delay(50);
  }
  throw new Error(`the gateway ended with ${child.exitCode}; see ${log}`);
}

/** `more` than the route. */
export function gatewayKind(
  name: string,
  title: string,
  route: GatewayOptions['route'],
  more: Omit<GatewayOptions, 'route'> = {},
): SubjectKind {
  return { name, title, start: (site) => startGateway(name, site, { route, ...more }) };
}

/** What a small exchange's tools are to the gateway. */
export const TOOLS = { tool_1: { elicits: ['command'] } };

export const ZE = gatewayKind('ze', 'gateway, profile ze', { profile: 'ze', tools: TOOLS });
export const SPEC = gatewayKind('spec', 'gateway, profile spec, sealing', { profile: 'spec', tools: TOOLS });
export const RELAY = gatewayKind('relay', 'gateway, profile spec, relaying', {
  profile: 'spec',
  requestState: 'relay',
  tools: TOOLS,
});
export const REPORT = gatewayKind('report', 'gateway, mode report', { profile: 'spec', mode: 'report' });
