import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Binary, runBinary, startBinary } from '../support/binary.js';
import { call, callTool, EventReader, FORM, open, TASKS } from '../support/client.js';

const PORTS = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];

describe('the demo, as the binary runs it', () => {
  let demo: Binary;
  beforeAll(async () => {
    demo = await startBinary(['demo', ...PORTS]);
  });
  afterAll(async () => {
    await demo?.stop();
  });

  it('says where it listens', () => {
    expect(demo.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(demo.adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
  });

  it('completes the loop that Ze begins', async () => {
    const asked = await callTool(demo.url, 'ze_execute', {}, { capabilities: FORM });
    const [key] = Object.keys(asked.message.result.inputRequests);
    expect(key).toBe('ze_execute_command');
    const answer = { action: 'accept', content: { command: 'show bgp summary' } };
    const params = { inputResponses: { ze_execute_command: answer } };
    const run = await callTool(demo.url, 'ze_execute', {}, { id: 2, capabilities: FORM, params });
    expect(run.message.result.content[0].text).toContain('BGP router identifier');
  });

  it('refuses a requestState before it reaches the stand-in', async () => {
    const refused = await call(demo.url, 'tools/list', { params: { requestState: 'secret' } });
    expect(refused.status).toBe(400);
    expect(refused.message.error).toMatchObject({ code: -32602, data: { rule: 'request-state-accepted' } });
    expect(refused.text).not.toContain('secret');
  });

  it('relays progress as it comes', async () => {
    const reply = await callTool(demo.url, 'ze_rib_dump', {}, { meta: { progressToken: 'p' } });
    expect(reply.events).toHaveLength(4);
  });

  it('relays a task from its beginning to its end', async () => {
    const tasks = { capabilities: TASKS };
    const { taskId } = (await callTool(demo.url, 'ze_rib_dump', {}, tasks)).message.result;
    await call(demo.url, 'tasks/cancel', { ...tasks, params: { taskId } });
    const { result } = (await call(demo.url, 'tasks/get', { ...tasks, params: { taskId } })).message;
    expect(result.status).toBe('cancelled');
  });

  it('ends with open subscriptions closed in good order, and exit code 0', async () => {
    const other = await startBinary(['demo', ...PORTS]);
    const params = { notifications: { toolsListChanged: true } };
    const events = new EventReader(await open(other.url, 'subscriptions/listen', { id: 's', params }));
    expect((await events.nextMessage()).method).toBe('notifications/subscriptions/acknowledged');
    await callTool(other.url, 'ze_execute', { command: 'daemon reload' });
    expect((await events.nextMessage()).method).toBe('notifications/tools/list_changed');
    other.signal('SIGTERM');
    expect(await events.nextMessage()).toMatchObject({ id: 's', result: { resultType: 'complete' } });
    expect((await other.finished).code).toBe(0);
  });
});

it('misbehaves when told to, and the gateway refuses', async () => {
  const demo = await startBinary(['demo', '--misbehave', 'credential-field', ...PORTS]);
  const refused = await callTool(demo.url, 'ze_execute', {}, { capabilities: FORM });
  expect(refused.message.error.data.rule).toBe('form-asks-no-credential');
  await demo.stop();
});

it('names the way that was meant, and starts nothing', async () => {
  const { code, stderr, stdout } = await runBinary(['demo', '--misbehave', 'credential-fields', ...PORTS]);
  expect(code).toBe(2);
  expect(stderr).toContain('did you mean `credential-field`?');
  expect(stdout).toBe('');
});
