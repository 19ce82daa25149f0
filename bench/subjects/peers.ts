/** What the gateway is held against: nothing at all, and proxies that look at nothing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childrenOf } from '../lab/cpu.js';
import { COLLECTING_FLAGS, collected } from '../lab/heap.js';
import { launch, launchPart, placed } from '../lab/processes.js';
import { freePort } from './free-port.js';
import { type Site, type SubjectKind, subjectOf, untilListening } from './subject.js';

export const DIRECT: SubjectKind = {
  name: 'direct',
  title: 'direct',
  start: async ({ upstreamPort }) => ({ port: upstreamPort, pids: [], stop: async () => {} }),
};

export const HTTP_PROXY: SubjectKind = {
  name: 'http-proxy',
  title: 'bare http-proxy',
  start: async ({ upstreamPort }) => {
    const url = `http://127.0.0.1:${upstreamPort}`;
    const { child, hello } = await launchPart('subject', 'bare-proxy', [url], COLLECTING_FLAGS);
    return { ...subjectOf(child, Number(hello)), collect: () => collected(child) };
  },
};

export const NGINX: SubjectKind = {
  name: 'nginx',
  title: 'nginx',
  start: async (site) => {
    const port = await freePort();
    const file = join(site.folder, 'nginx.conf');
    writeFileSync(file, nginxConfiguration(site, port));
    const child = launch(
      'subject',
      ['nginx', '-p', site.folder, '-c', file],
      ['ignore', 'ignore', 'inherit'],
    );
    await untilListening(port);
    return subjectOf(child, port, childrenOf(child.pid ?? 0));
  },
};

/** One worker, connections kept on both sides, no log: as little as nginx can do. */
function nginxConfiguration({ upstreamPort, folder }: Site, port: number): string {
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log warn;
events { worker_connections 32768; }
http {
  access_log off; keepalive_requests 100000000; client_max_body_size 64m; client_body_buffer_size 64k;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream mcp { server 127.0.0.1:${upstreamPort}; keepalive 512; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = / { return 204; }
    location / { proxy_pass http://mcp; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
  }
}
`;
}

export const MCP_PROXY: SubjectKind = {
  name: 'mcp-proxy',
  title: 'npm’s mcp-proxy',
  start: async ({ resultText }) => {
    const port = await freePort();
    const server = fileURLToPath(new URL('../parts/stdio-server.js', import.meta.url));
    const flags = ['--port', String(port), '--host', '127.0.0.1', '--server', 'stream', '--no-eventStore'];
    const program = 'node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs';
    const behind = placed('upstream', [process.execPath, server, resultText]);
    const command = [process.execPath, program, ...flags, '--', ...behind];
    const child = launch('subject', command, 'ignore');
    await untilListening(port);
    return subjectOf(child, port);
  },
};
