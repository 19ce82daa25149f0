/** A server that sends its user to a page, on the official server package: consent is not completion. */
import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  createMcpHandler,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type FetchServer, serveFetch } from './fetch-server.js';

export interface UrlFixture extends FetchServer {
  /** Pages that were opened, by their URL's path and query. */
  readonly opened: readonly string[];
  /** What the user does at the page that the last question led to. */
  readonly finish: () => Promise<void>;
  /** How often the tool was called without its user having finished, after they had consented. */
  readonly tooEarly: () => number;
}

export interface UrlFixtureOptions {
  /** The user finishes at the page after so many calls came too early; never unless given. */
  readonly finishesAfter?: number;
}

const KEY = 'connect_account';

/** Its one tool is `connect`. */
export async function startUrlFixture({ finishesAfter }: UrlFixtureOptions = {}): Promise<UrlFixture> {
  const codec = createRequestStateCodec<{ id: string }>({ key: crypto.getRandomValues(new Uint8Array(32)) });
  const done = new Set<string>();
  const opened: string[] = [];
  let tooEarly = 0;
  let page = '';
  const ask = async (id: string): Promise<InputRequiredResult> => {
    page = `${new URL(served.url).origin}/connect?account=${id}`;
    const question = inputRequired.elicitUrl({ message: 'Connect your account, then come back.', url: page });
    return inputRequired({ inputRequests: { [KEY]: question }, requestState: await codec.mint({ id }) });
  };
  const finish = async () => void (await fetch(page));
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(
        { name: 'url-fixture', version: '1.0.0' },
        { capabilities: { tools: {} }, requestState: { verify: codec.verify } },
      );
      server.registerTool(
        'connect',
        { description: 'Connects an account', inputSchema: z.object({}) },
        async (_, { mcpReq }): Promise<CallToolResult | InputRequiredResult> => {
          const id = mcpReq.requestState<{ id: string }>()?.id;
          if (id === undefined) return ask(randomUUID());
          const answer = inputResponse(mcpReq.inputResponses, KEY);
          const action = answer.kind === 'elicit' ? answer.action : 'none';
          if (action === 'decline' || action === 'cancel') return said(`not connected: ${action}`, true);
          if (done.has(id)) return said('connected');
          tooEarly += 1;
          const again = await ask(id);
          if (tooEarly === finishesAfter) await finish();
          return again;
        },
      );
      return server;
    },
    { legacy: 'reject' },
  );
  const served = await serveFetch(async (request) => {
    const url = new URL(request.url);
    if (url.pathname !== '/connect') return handler.fetch(request);
    opened.push(`${url.pathname}${url.search}`);
    done.add(url.searchParams.get('account') ?? '');
    return new Response('thank you');
  });
  return {
    url: served.url,
    opened,
    finish,
    tooEarly: () => tooEarly,
    close: async () => {
      await handler.close();
      await served.close();
    },
  };
}

function said(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], isError };
}
