/** http-proxy that looks at nothing, with connections that it keeps. */
import { Agent, createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import httpProxy from 'http-proxy';

const target = process.argv[2] ?? '';
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 4096 });
const proxy = httpProxy.createProxyServer({ target, agent });
proxy.on('error', (_error, _request, response) => (response as ServerResponse).writeHead(502).end());

const server = createServer((request, response) => proxy.web(request, response));
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', 4096, () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
