/** Serves a fetch-shaped function over node:http: what the official server's entry needs to be an upstream of tests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FetchServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function serveFetch(fetch: (request: Request) => Promise<Response>): Promise<FetchServer> {
  const server = createServer((incoming, response) => {
    answer(incoming, response, fetch).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  const method = incoming.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
  const url = `http://${incoming.headers.host ?? '127.0.0.1'}${incoming.url ?? '/'}`;
  const answered = await fetch(new Request(url, { method, headers, body, signal: gone.signal }));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.flushHeaders();
  if (answered.body !== null) {
    for await (const chunk of answered.body) {
      if (gone.signal.aborted) return;
      response.write(chunk);
    }
  }
  response.end();
}
