/** The server that the conformance suite asks for, on the official server package; run directly and behind the gateway. */
import {
  createMcpHandler,
  createRequestStateCodec,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import { type FetchServer, serveFetch } from '../support/fetch-server.js';
import { registerAsks } from './fixture-asks.js';
import { registerContent } from './fixture-content.js';
import { FixtureTasks, registerTaskTools } from './fixture-tasks.js';

const CACHE = { ttlMs: 60_000, cacheScope: 'public' } as const;

/** Believes whatever comes back, as long as it begins like a state of its own. */
const CREDULOUS: RequestStateCodec<unknown> = {
  mint: async (payload) => JSON.stringify(payload),
  verify: async (state) => JSON.parse(state.slice(0, state.indexOf('}') + 1)) as unknown,
};

export interface FixtureOptions {
  /** The server does nothing to protect its states. */
  readonly credulous?: boolean;
}

export async function startFixture({ credulous = false }: FixtureOptions = {}): Promise<FetchServer> {
  const state = credulous
    ? CREDULOUS
    : createRequestStateCodec<unknown>({ key: crypto.getRandomValues(new Uint8Array(32)) });
  const tasks = new FixtureTasks();
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(
        { name: 'conformance-fixture', version: '1.0.0' },
        {
          capabilities: {
            tools: { listChanged: true },
            prompts: { listChanged: true },
            resources: {},
            extensions: { 'io.modelcontextprotocol/tasks': {} },
          },
          requestState: { verify: state.verify },
          cacheHints: {
            'server/discover': CACHE,
            'tools/list': CACHE,
            'prompts/list': CACHE,
            'resources/list': CACHE,
            'resources/templates/list': CACHE,
            'resources/read': CACHE,
          },
        },
      );
      registerContent(server, handler.notify);
      registerAsks(server, state);
      registerTaskTools(server);
      return server;
    },
    { legacy: 'reject' },
  );
  const served = await serveFetch(
    async (request) =>
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins()) ??
      (await tasks.answer(request)) ??
      handler.fetch(request),
  );
  return {
    url: served.url,
    close: async () => {
      await handler.close();
      await served.close();
    },
  };
}
