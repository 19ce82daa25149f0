/** The official client as a reader: what it makes of an answer, and what it would ask its user. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { type AskedFor, sorted } from '../oracle/meaning.js';
import { isMap, type Json, type JsonMap, mapOf, own, wellFormed } from '../oracle/values.js';

export interface OfficialMeaning {
  readonly type: 'complete' | 'input_required';
  readonly state: string | undefined;
  readonly asked: readonly AskedFor[];
}

const META = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const DISCOVERED = {
  ...META,
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 'scripted', version: '1' },
};
const COMPLETE = { ...META, content: [], messages: [], contents: [] };

type Asking = 'tools/call' | 'prompts/get' | 'resources/read';

/** Undefined: the client does not take the answer at all. */
export type Read = (method: Asking, answer: string, stream: boolean) => Promise<OfficialMeaning | undefined>;

export async function startOfficialClient(): Promise<Read> {
  let answer: { text: string; stream: boolean } | undefined;
  let retried: JsonMap | undefined;
  let asked: Omit<AskedFor, 'key'>[] = [];

  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const sent = JSON.parse(String(init?.body ?? 'null')) as JsonMap | null;
    if (sent === null || sent.id === undefined) return new Response(null, { status: 202 });
    const { id } = sent;
    if (sent.method === 'server/discover') return reply({ jsonrpc: '2.0', id, result: DISCOVERED }, false);
    if (answer === undefined) {
      retried = mapOf(sent, 'params');
      return reply({ jsonrpc: '2.0', id, result: COMPLETE }, false);
    }
    const { text, stream } = answer;
    answer = undefined;
    return reply({ ...(JSON.parse(text) as JsonMap), id }, stream);
  };

  let reads = 0;
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
  const client = new Client(
    { name: 'reader', version: '1' },
    { capabilities, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', (request) => {
    asked.push(askedBy(request as unknown as JsonMap));
    return { action: 'cancel' as const };
  });
  client.setRequestHandler('sampling/createMessage', (request) => {
    asked.push(askedBy(request as unknown as JsonMap));
    return { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: '' } };
  });
  client.setRequestHandler('roots/list', (request) => {
    asked.push(askedBy(request as unknown as JsonMap));
    return { roots: [] };
  });
  // In a stream the client leaves out what it cannot read, and would wait for another answer.
  let given = new AbortController();
  client.onerror = (error) => given.abort(error);
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1:1/mcp'), { fetch }));
  const calls: Readonly<Record<Asking, () => Promise<unknown>>> = {
    'tools/call': () => client.callTool({ name: 'book', arguments: {} }, given),
    'prompts/get': () => client.getPrompt({ name: 'book' }, given),
    'resources/read': () => client.readResource({ uri: `file:///${reads}` }, given),
  };
  return async (method, text, stream) => {
    [answer, retried, asked] = [{ text, stream }, undefined, []];
    given = new AbortController();
    // A resource that it has read may stand in its cache.
    reads += 1;
    try {
      await calls[method]();
    } catch {
      return undefined;
    }
    return retried === undefined ? { type: 'complete', state: undefined, asked: [] } : asking(retried, asked);
  };
}

/** What was asked, under the keys that were answered. */
function asking(retried: JsonMap, asked: readonly Omit<AskedFor, 'key'>[]): OfficialMeaning {
  const keys = Object.keys(mapOf(retried, 'inputResponses'));
  const state = own(retried, 'requestState');
  return {
    type: 'input_required',
    state: typeof state === 'string' ? wellFormed(state) : undefined,
    asked: sorted(asked.map((one, index) => ({ key: wellFormed(keys[index] ?? '?'), ...one }))),
  };
}

function askedBy(request: JsonMap): Omit<AskedFor, 'key'> {
  const params = own(request, 'params');
  const fields = mapOf(own(params, 'requestedSchema'), 'properties');
  return {
    kind: textIn(request, 'method'),
    mode: textIn(params, 'mode'),
    message: textIn(params, 'message'),
    url: textIn(params, 'url'),
    fields: Object.keys(fields).map(wellFormed).sort(),
  };
}

function textIn(map: Json | undefined, name: string): string | undefined {
  const value = isMap(map) ? own(map, name) : undefined;
  return typeof value === 'string' ? wellFormed(value) : undefined;
}

function reply(message: JsonMap, stream: boolean): Response {
  const text = JSON.stringify(message);
  return stream
    ? new Response(`data: ${text}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
    : new Response(text, { headers: { 'content-type': 'application/json' } });
}
