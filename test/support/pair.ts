/** The gateway on a free port, in front of a scripted upstream, both closed when the test is over. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ExchangeSummary, Observer } from '../../src/engine/observer.js';
import { createGateway, type GatewayOptions } from '../../src/index.js';
import { type ReplyFunction, startUpstream, type Upstream } from './upstream.js';

export interface Gateway {
  readonly port: number;
  /** `http://127.0.0.1:<port>` and the URL of the first route. */
  readonly origin: string;
  readonly url: string;
  /** Every call of the observer's port, in order. */
  readonly told: readonly Told[];
  /** The n-th exchange that ended, counted from 0, as soon as it has. */
  readonly ended: (n: number) => Promise<ExchangeSummary>;
  /** Unexpected errors. */
  readonly errors: readonly unknown[];
  readonly close: () => Promise<void>;
}

export interface Told {
  readonly event: keyof Observer;
  readonly args: readonly unknown[];
}

export interface GatewayConfig {
  /** Keys of the route in front of the scripted upstream. */
  readonly route?: Record<string, unknown>;
  /** Further routes, and keys beside `routes`. */
  readonly routes?: readonly Record<string, unknown>[];
  readonly [key: string]: unknown;
}

/** A gateway whose first route leads to this URL. */
export async function startGateway(
  upstream: string,
  { route, routes = [], ...keys }: GatewayConfig = {},
  options: GatewayOptions = {},
): Promise<Gateway> {
  const told: Told[] = [];
  const ended: ExchangeSummary[] = [];
  const waiting = new Map<number, (summary: ExchangeSummary) => void>();
  const observer = new Proxy({} as Observer, {
    get:
      (_, event: keyof Observer) =>
      (...args: readonly unknown[]) => {
        told.push({ event, args });
        if (event !== 'ended') return;
        const summary = args[0] as ExchangeSummary;
        waiting.get(ended.push(summary) - 1)?.(summary);
      },
  });
  const errors: unknown[] = [];
  const logger = { info: () => undefined, error: (fields: object) => void errors.push(fields) };
  const config = { ...keys, routes: [{ upstream, ...route }, ...routes].map(relaying) };
  const gateway = createGateway(config, { logger, observer, ...options });
  const server = createServer((req, res) => gateway(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await gateway.close();
  };
  onTestFinished(close);
  return {
    port,
    origin,
    url: `${origin}${typeof route?.path === 'string' ? route.path : '/mcp'}`,
    told,
    ended: (n) => {
      const summary = ended[n];
      return summary ? Promise.resolve(summary) : new Promise((resolve) => waiting.set(n, resolve));
    },
    errors,
    close,
  };
}

/** Sealing needs keys and changes what is sent: it has its own tests. */
function relaying(route: Record<string, unknown>): Record<string, unknown> {
  return route.profile === 'ze' ? route : { requestState: 'relay', ...route };
}

export interface Pair {
  readonly gateway: Gateway;
  readonly upstream: Upstream;
  /** The gateway's URL for the route to the upstream. */
  readonly url: string;
}

/** An upstream that answers so, and a gateway in front of it. */
export async function startPair(
  reply?: ReplyFunction,
  config: GatewayConfig = {},
  options: GatewayOptions = {},
): Promise<Pair> {
  const upstream = await startUpstream(reply);
  onTestFinished(() => upstream.close());
  const gateway = await startGateway(upstream.url, config, options);
  return { gateway, upstream, url: gateway.url };
}
