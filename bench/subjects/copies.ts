/** Copies of the gateway behind nginx, as deploy/nginx has it; only ports are put in, and TLS is taken out. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { childrenOf } from '../lab/cpu.js';
import { end, launch, type Part } from '../lab/processes.js';
import { freePort } from './free-port.js';
import { type Gateway, startGateway } from './gateway.js';
import { type Site, type Subject, untilListening } from './subject.js';

const FOLDER = 'deploy/nginx';

export interface Copies extends Subject {
  /** Ends one and starts it again, as operators do: nginx sends nothing to it meanwhile. Says what it does. */
  readonly restart: (which: number, says: (text: string) => void) => Promise<void>;
}

interface Server {
  readonly port: number;
  readonly down: boolean;
}

function configuration(port: number, servers: readonly Server[], folder: string): string {
  const lines = servers.map((server) => `server 127.0.0.1:${server.port}${server.down ? ' down' : ''};`);
  const written = readFileSync(`${FOLDER}/mrtr-gateway.conf`, 'utf8')
    .replace(/^\s*server 127\.0\.0\.1:\d+;/m, lines.join('\n'))
    .replace(/^\s*listen [^;]+;/m, `listen 127.0.0.1:${port} backlog=4096;`)
    .replace(/^\s*ssl_[^;]+;/gm, '')
    .replace(/^\s*server_name [^;]+;.*/m, '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  return `daemon off; worker_processes 1; pid ${folder}/copies.pid; error_log ${folder}/copies.log warn;
events { worker_connections 4096; }
http { access_log off; ${paths}
${written}
}
`;
}

/** The keys of deploy/nginx that concern what stands in front. */
function settings(): Record<string, unknown> {
  const { trustedProxies, limits, timeouts } = parse(readFileSync(`${FOLDER}/gateway.yaml`, 'utf8'));
  return { trustedProxies, limits, timeouts };
}

const PARTS: readonly Part[] = ['subject', 'second subject'];

function beginCopy(site: Site, which: number, listenPort?: number): Promise<Gateway> {
  const part = PARTS[which] ?? 'subject';
  const options = { route: { profile: 'ze' }, settings: settings(), part };
  return startGateway(`copy-${which}`, site, { ...options, ...(listenPort !== undefined && { listenPort }) });
}

export async function startCopies(parent: Site, count: number): Promise<Copies> {
  const site = { ...parent, folder: mkdtempSync(join(parent.folder, 'copies-')) };
  const gateways: Gateway[] = [];
  for (let which = 0; which < count; which += 1) gateways.push(await beginCopy(site, which));
  const port = await freePort();
  const file = join(site.folder, 'nginx.conf');
  const write = (without?: number) => {
    const servers = gateways.map((gateway, at) => ({ port: gateway.port, down: at === without }));
    writeFileSync(file, configuration(port, servers, site.folder));
  };
  write();
  const nginx = launch('upstream', ['nginx', '-p', site.folder, '-c', file], ['ignore', 'ignore', 'inherit']);
  await untilListening(port);
  const turn = async (without?: number) => {
    write(without);
    await reload(nginx.pid ?? 0);
  };
  const stop = async () => {
    await end(nginx);
    for (const gateway of gateways) await gateway.stop();
  };
  const restart = restarting(site, gateways, turn);
  return { port, pids: gateways.flatMap(({ pids }) => pids), restart, stop };
}

function restarting(
  site: Site,
  gateways: Gateway[],
  turn: (without?: number) => Promise<void>,
): Copies['restart'] {
  return async (which, says) => {
    const old = gateways[which];
    if (old === undefined) throw new Error(`no copy ${which}`);
    says('nginx leaves it out');
    await turn(which);
    says('it ends');
    await old.stop();
    gateways[which] = await beginCopy(site, which, old.port);
    says('nginx takes it in');
    await turn();
  };
}

/** Waits until the workers of before have gone. */
async function reload(master: number): Promise<void> {
  const before = childrenOf(master);
  process.kill(master, 'SIGHUP');
  for (;;) {
    const now = childrenOf(master);
    if (now.length > 0 && !now.some((pid) => before.includes(pid))) return;
    await delay(20);
  }
}
