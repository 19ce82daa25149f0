import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { startFixture } from '../conformance/fixture.js';
import { startSealing } from './asking.js';

const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** A client of the official package, as it is, that answers so in turn. */
async function connect(url: string, answers: Record<string, string>[]): Promise<Client> {
  const client = new Client(
    { name: 'official', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async () => {
    const content = answers.shift();
    return content === undefined ? { action: 'cancel' as const } : { action: 'accept' as const, content };
  });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function sealing(seal: object): Promise<string> {
  const fixture = await startFixture({ credulous: true });
  onTestFinished(() => fixture.close());
  return (await startSealing(fixture.url, { seal })).url;
}

const textOf = (result: { content: readonly { type: string; text?: string }[] }) => result.content[0]?.text;

it.each([
  ['as it is', {}],
  ['where every question gets a token', { always: true }],
  ['where a state opens once', { always: true, singleUse: true }],
])('the official client needs no change, %s', async (_, seal) => {
  const url = await sealing(seal);
  const client = await connect(url, [
    { name: 'Ada' },
    { name: 'Ada' },
    { color: 'blue' },
    { context: 'BGP' },
  ]);
  const greeted = await client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} });
  expect(textOf(greeted as never)).toBe('Hello, Ada!');
  const rounds = await client.callTool({ name: 'test_input_required_result_multi_round', arguments: {} });
  expect(textOf(rounds as never)).toBe('Both rounds are done');
  const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
  expect(messages[0]?.content).toEqual({ type: 'text', text: 'Context: BGP' });
});

it('the official client is told of an answer that does not fit the form', async () => {
  const client = await connect(await sealing({ always: true }), [{ nickname: 'Ada' }]);
  const call = client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} });
  await expect(call).rejects.toMatchObject({ code: -32602, data: { rule: 'answer-matches-schema' } });
});
