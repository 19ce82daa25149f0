/** The built binary in front of bare connections, with an account of what it holds before and after something goes wrong. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Binary, type LogLine, startBinary } from './binary.js';
import { requestHeaders, requestText } from './client.js';
import { parseAnswer, type RawAnswer, rawRequest, sendRaw } from './raw.js';
import { answeringOnce, type RawUpstream, startRawUpstream } from './raw-upstream.js';

/** Short enough to wait for, long enough for a machine that is busy. */
export const TIMEOUTS = { requestMs: 500, connectMs: 500, headersMs: 500, bodyIdleMs: 500, ssePingMs: 0 };

export interface Rig {
  readonly binary: Binary;
  readonly upstream: RawUpstream;
  readonly port: number;
  /** A tool call of this id as bytes, on a connection that closes after it unless the fields say otherwise. */
  readonly toolCall: (id: string, ...fields: readonly string[]) => Buffer;
  /** The same to another path than that of the first route. */
  readonly toolCallTo: (path: string, id: string, ...fields: readonly string[]) => Buffer;
  readonly send: (...pieces: readonly (string | Uint8Array)[]) => Promise<RawAnswer>;
  /** A connection to the gateway that is read only when asked. */
  readonly connect: (from?: string) => Promise<Client>;
  readonly counts: () => Promise<Counts>;
  /** The outcomes of the exchanges that ended since, as the audit log has them. */
  readonly outcomes: () => readonly unknown[];
  readonly stop: () => Promise<void>;
}

export interface Client {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  /** Every byte until the connection is closed. */
  readonly rest: () => Promise<Buffer>;
  readonly answer: () => Promise<RawAnswer>;
  /** What has come, as soon as it is this many bytes; then it reads no more. */
  readonly received: (bytes: number) => Promise<Buffer>;
  readonly reset: () => void;
}

/** Samples of /metrics by name and labels as written, without the prefix. */
export type Counts = ReadonlyMap<string, number>;

const PREFIX = 'mrtr_gateway_';
const HELD = ['exchanges_in_flight{', 'streams_open{', 'buffered_bytes'];
const TOOL = { name: 'book', arguments: {} };

export async function startRig(
  more: Readonly<Record<string, unknown>> = {},
  upstreamUrl?: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Rig> {
  const upstream = await startRawUpstream(answeringOnce);
  const { limits, timeouts, route, routes = [], ...keys } = more as Partial<Record<string, object>>;
  const own = { name: 'r', upstream: upstreamUrl ?? upstream.url, ...route };
  const config = {
    listen: '127.0.0.1:0',
    admin: '127.0.0.1:0',
    seal: { ephemeral: true },
    routes: [own, ...(routes as readonly object[])].map((one) => ({ requestState: 'relay', ...one })),
    limits,
    timeouts: { ...TIMEOUTS, ...timeouts },
    ...keys,
  };
  const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-'));
  const file = join(folder, 'gateway.json');
  writeFileSync(file, JSON.stringify(config));
  const binary = await startBinary(['serve', '--config', file], { env });
  const port = Number(new URL(binary.url).port);
  return {
    binary,
    upstream,
    port,
    toolCall,
    toolCallTo,
    send: (...pieces) => sendRaw(port, ...pieces),
    connect: (from) => connectTo(port, from),
    counts: () => scrape(`${binary.adminUrl}metrics`),
    outcomes: () => audited(binary.lines).map(({ outcome }) => outcome),
    stop: async () => {
      await binary.stop('SIGKILL');
      await upstream.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function toolCall(id: string, ...fields: readonly string[]): Buffer {
  return toolCallTo('/mcp', id, ...fields);
}

export function toolCallTo(path: string, id: string, ...fields: readonly string[]): Buffer {
  return toolCallWith(TOOL, path, id, ...fields);
}

export function toolCallWith(
  params: typeof TOOL,
  path: string,
  id: string,
  ...fields: readonly string[]
): Buffer {
  const headers = Object.entries(requestHeaders('tools/call', { params })).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return rawRequest(`POST ${path}`, [...headers, ...fields], requestText('tools/call', { id, params }));
}

export function audited(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.filter(({ msg }) => msg === 'exchange');
}

/** Connects and reads only when asked. */
export async function connectTo(port: number, localAddress = '127.0.0.1'): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.pause();
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const chunks: Buffer[] = [];
  let length = 0;
  let more: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', (bytes) => {
    chunks.push(bytes);
    length += bytes.length;
    more();
  });
  socket.pause();
  const rest = async () => {
    socket.resume();
    await closed;
    return Buffer.concat(chunks);
  };
  return {
    socket,
    closed,
    rest,
    answer: async () => parseAnswer(await rest()),
    received: async (bytes) => {
      socket.resume();
      while (length < bytes) {
        await new Promise<void>((resolve) => {
          more = resolve;
        });
      }
      socket.pause();
      return Buffer.concat(chunks);
    },
    reset: () => void socket.resetAndDestroy(),
  };
}

export interface Survived {
  /** Outcomes of the exchanges that the fault was part of, in the order of their end. */
  readonly outcomes: readonly string[];
  /** Why upstreams failed, by metric; nothing unless given. */
  readonly failures?: Readonly<Record<string, number>>;
  readonly rejections?: Readonly<Record<string, number>>;
  /** Connections to the upstream that may stay open; none unless given. */
  readonly kept?: number;
}

/**
 * Runs what goes wrong, and expects the gateway to be as it was before: nothing in flight, nothing held, no connection
 * and no descriptor left over, every exchange accounted for once, the next exchange answered.
 */
export async function survives(rig: Rig, expected: Survived, fault: () => Promise<unknown>): Promise<void> {
  const before = await rig.counts();
  const audits = rig.outcomes().length;
  await fault();
  await expect.poll(() => rig.outcomes().slice(audits), POLL).toEqual(expected.outcomes);
  await quiet(rig, expected.kept ?? 0);
  const after = await rig.counts();
  expect(increases(before, after, 'exchanges_total', 'outcome')).toEqual(tally(expected.outcomes));
  expect(increases(before, after, 'upstream_errors_total', 'reason')).toEqual(expected.failures ?? {});
  expect(increases(before, after, 'limit_rejections_total', 'limit')).toEqual(expected.rejections ?? {});
  await descriptorsBack(rig, before);
  expect(rig.binary.lines.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  rig.upstream.use(answeringOnce);
  const next = await rig.send(toolCall('next'));
  expect([next.status, next.json().id, next.json().result.resultType]).toEqual([200, 'next', 'complete']);
  await expect.poll(() => rig.outcomes().length, POLL).toBe(audits + expected.outcomes.length + 1);
}

const POLL = { timeout: 10_000, interval: 20 };

/** Nothing is in flight and nothing is held; to the upstream no more connections are open than may be. */
async function quiet({ counts, upstream }: Rig, kept: number): Promise<void> {
  const held = async () => {
    const now = await counts();
    return HELD.map((name) => {
      const series = [...now].filter(([one]) => one.startsWith(name));
      return series.reduce((sum, [, value]) => sum + value, 0);
    });
  };
  await expect.poll(held, POLL).toEqual(HELD.map(() => 0));
  const open = () => {
    upstream.closeSpare();
    return upstream.open();
  };
  await expect.poll(open, POLL).toBeLessThanOrEqual(kept);
}

async function descriptorsBack({ counts, upstream }: Rig, before: Counts): Promise<void> {
  const open = async () => {
    upstream.closeSpare();
    return (await counts()).get('process_open_fds') ?? 0;
  };
  await expect.poll(open, POLL).toBeLessThanOrEqual(before.get('process_open_fds') ?? 0);
}

/** By the value of one label: how much each series of this name grew. */
function increases(before: Counts, after: Counts, name: string, label: string): Record<string, number> {
  const grown: Record<string, number> = {};
  for (const [series, value] of after) {
    if (!series.startsWith(`${name}{`)) continue;
    const growth = value - (before.get(series) ?? 0);
    const of = new RegExp(`${label}="([^"]*)"`).exec(series)?.[1];
    if (growth > 0 && of !== undefined) grown[of] = (grown[of] ?? 0) + growth;
  }
  return grown;
}

function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** On a connection of its own, so that scraping leaves none behind. */
function scrape(url: string): Promise<Counts> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const bytes of answer) chunks.push(bytes as Buffer);
      const samples = Buffer.concat(chunks)
        .toString()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'));
      resolve(
        new Map(
          samples.map((line) => {
            const space = line.lastIndexOf(' ');
            return [line.slice(0, space).replace(PREFIX, ''), Number(line.slice(space + 1))];
          }),
        ),
      );
    }).on('error', reject);
  });
}

/** The messages of an event stream. */
export function eventsOf(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
}
