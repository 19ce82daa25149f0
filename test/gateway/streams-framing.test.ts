/** Whatever the framing of a stream, its messages are judged and rewritten as the same bytes in a JSON body would be. */
import { describe, expect, it } from 'vitest';
import { call, FORM, type Received, TASKS, URL_ONLY } from '../support/client.js';
import { type GatewayConfig, startPair } from '../support/pair.js';
import { inPieces, type Step, sseEvent, sseReply } from '../support/upstream.js';

/** The message of one event as bytes on the wire. */
const FRAMINGS: Readonly<Record<string, (text: string) => readonly Step[]>> = {
  LF: (text) => [sseEvent(text)],
  CRLF: (text) => [sseEvent(text, '\r\n')],
  CR: (text) => [sseEvent(text, '\r')],
  'writes of one byte': (text) => [...inPieces(sseEvent(text, '\r\n'))],
  'a byte order mark': (text) => [`\ufeff${sseEvent(text)}`],
  'no space after the colon': (text) => [`data:${text}\n\n`],
  'an odd event name': (text) => [`event: update\ndata: ${text}\n\n`],
  'fields around it': (text) => [`id: 5\nfoo: bar\nretry\n: x\ndata: ${text}\nretry: 10\nid\n\n`],
  'a data line for each member': (text) => [sseEvent(inLines(text), '\r\n')],
  'other events before it': (text) => [': hello\n\nid: 1\nretry: 1\ndata:\n\nevent: x\n\n', sseEvent(text)],
};

/** The same JSON with a line break after each comma that separates members, `{` and `[`. */
function inLines(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|([{[,])/g, (whole, string) => string ?? `${whole}\n`);
}

const QUESTION = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which command?',
    requestedSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
};
const ASKS = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"ze_execute_command":${JSON.stringify(QUESTION)}}}}`;
const ZE: GatewayConfig = { route: { profile: 'ze', tools: { ze_execute: { elicits: ['command'] } } } };
const WITHOUT_COMMAND = { params: { name: 'ze_execute', arguments: {} } };
const TOOLS =
  '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":5,"cacheScope":"public","tools":[{"name":"ze_execute","inputSchema":{"type":"object","properties":{"command":{"type":"string","x-mcp-header":"C"},"n":{"maximum":18446744073709551615}},"required":["command"]}}]}}';

interface Judgement {
  readonly config?: GatewayConfig;
  readonly method: string;
  readonly request?: Parameters<typeof call>[2];
  readonly upstream: string;
  readonly answered: (answer: Received) => void;
}

const JUDGEMENTS: Readonly<Record<string, Judgement>> = {
  'a question to a client with form mode arrives as it was': {
    config: ZE,
    method: 'tools/call',
    request: { ...WITHOUT_COMMAND, capabilities: FORM },
    upstream: ASKS,
    answered: ({ status, events }) => {
      expect(status).toBe(200);
      expect(events.map((data) => data.replaceAll('\n', ''))).toEqual([ASKS]);
    },
  },
  'a question that the client cannot be asked is the tool error': {
    config: ZE,
    method: 'tools/call',
    request: { ...WITHOUT_COMMAND, capabilities: URL_ONLY },
    upstream: ASKS,
    answered: ({ status, events, message }) => {
      expect({ status, events }).toEqual({ status: 200, events: [] });
      expect(message.result).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'missing required argument: command' }],
      });
    },
  },
  'a question to a client without capabilities is refused with what it lacks': {
    method: 'tools/call',
    request: { params: { name: 'other', arguments: {} } },
    upstream: ASKS,
    answered: ({ status, events, message }) => {
      expect({ status, events }).toEqual({ status: 400, events: [] });
      expect(message).toMatchObject({
        id: 1,
        error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
      });
    },
  },
  'a list of tools loses what a form will ask for': {
    config: ZE,
    method: 'tools/list',
    request: { capabilities: FORM },
    upstream: TOOLS,
    answered: ({ events }) => {
      const expected = TOOLS.replace(',"required":["command"]', '').replace('"public"', '"private"');
      expect(events.map((data) => data.replaceAll('\n', ''))).toEqual([expected]);
    },
  },
  'a list of tools keeps it for a client that cannot be asked': {
    config: ZE,
    method: 'tools/list',
    request: { capabilities: URL_ONLY },
    upstream: TOOLS,
    answered: ({ events }) => {
      expect(events.map((data) => data.replaceAll('\n', ''))).toEqual([
        TOOLS.replace('"public"', '"private"'),
      ]);
    },
  },
  'a form that asks for a secret is refused': {
    method: 'tools/call',
    request: { params: { name: 'other', arguments: {} }, capabilities: FORM },
    upstream: ASKS.replaceAll('"command"', '"api_key"'),
    answered: ({ status, message, text }) => {
      expect(status).toBe(200);
      expect(message).toMatchObject({
        id: 1,
        error: { code: -32603, data: { rule: 'form-asks-no-credential' } },
      });
      expect(text).not.toContain('Which command?');
    },
  },
  'a requestState is refused where the route forbids it': {
    config: ZE,
    method: 'tools/call',
    request: { ...WITHOUT_COMMAND, capabilities: FORM },
    upstream: ASKS.replace('"inputRequests"', '"requestState":"s3cret","inputRequests"'),
    answered: ({ status, text, message }) => {
      expect(status).toBe(200);
      expect(message).toMatchObject({
        id: 1,
        error: { code: -32603, data: { rule: 'request-state-issued-none' } },
      });
      expect(text).not.toContain('s3cret');
    },
  },
  'a task that awaits input is refused in profile ze': {
    config: ZE,
    method: 'tasks/get',
    request: { capabilities: TASKS, params: { taskId: 't' } },
    upstream:
      '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","taskId":"t","status":"input_required","inputRequests":{}}}',
    answered: ({ status, message }) => {
      expect(status).toBe(200);
      expect(message.error).toMatchObject({ code: -32603, data: { rule: 'task-not-input-required' } });
    },
  },
  'a task that awaits input passes in profile spec': {
    method: 'tasks/get',
    request: { capabilities: { ...TASKS, ...FORM }, params: { taskId: 't' } },
    upstream: `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","taskId":"t","status":"input_required","inputRequests":{"q":${JSON.stringify(QUESTION)}}}}`,
    answered: ({ status, events }) => expect([status, events.length]).toEqual([200, 1]),
  },
  'a request of the server is refused': {
    method: 'tools/call',
    request: { params: { name: 'other', arguments: {} }, capabilities: FORM },
    upstream: `{"jsonrpc":"2.0","id":"srv-1",${JSON.stringify(QUESTION).slice(1)}`,
    answered: ({ status, message, text }) => {
      expect(status).toBe(200);
      expect(message).toMatchObject({ id: 1, error: { code: -32603, data: { rule: 'no-server-request' } } });
      expect(text).not.toContain('srv-1');
    },
  },
  'a member that stands twice is refused': {
    method: 'tools/call',
    request: { params: { name: 'other', arguments: {} } },
    upstream: '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","resultType":"complete"}}',
    answered: ({ status, message }) => {
      expect(status).toBe(502);
      expect(message).toMatchObject({ id: 1, error: { code: -32603, data: { rule: 'response-readable' } } });
    },
  },
  'a response to another request is refused': {
    method: 'tools/call',
    request: { params: { name: 'other', arguments: {} } },
    upstream: '{"jsonrpc":"2.0","id":"1","result":{"resultType":"complete"}}',
    answered: ({ status, message }) => {
      expect(status).toBe(502);
      expect(message).toMatchObject({ id: 1, error: { data: { rule: 'response-answers-request' } } });
    },
  },
};

describe.each(Object.entries(FRAMINGS))('in a stream with %s', (_, frame) => {
  it.each(Object.entries(JUDGEMENTS))('%s', async (_, { config, method, request, upstream, answered }) => {
    const { url } = await startPair(() => sseReply(frame(upstream)), config);
    answered(await call(url, method, request));
  });
});
