/** All of Ze's page, driven by script: at the stand-in itself, and through the gateway in front of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoUpstream, startDemoUpstream } from '../../../src/demo/upstream.js';
import { startGateway } from '../../support/pair.js';
import { type Probed, probe } from '../../support/probe.js';

const ZE = { profile: 'ze', tools: { ze_execute: { elicits: ['command'] } } };
const REFUSED =
  'probe status=400 code=-32602 message=invalid params: params.requestState is not accepted; this server issues no requestState, so a retry must not carry one';
const QUESTION = [
  '< input_required',
  '  ze_execute_command: elicitation/create form',
  '    Which ze command should be run? For example: show bgp summary',
  "    command (ze command): text, required  The ze command to execute, for example 'show bgp peer list'.",
];

let ze: DemoUpstream;

beforeAll(async () => {
  ze = await startDemoUpstream({ host: '127.0.0.1', port: 0 });
});

afterAll(() => ze.close());

describe.each(['at the server itself', 'through the gateway'])('Ze’s page, %s', (way) => {
  const walk = async (args: readonly string[], script: readonly string[]): Promise<Probed> => {
    const url = way === 'at the server itself' ? ze.url : (await startGateway(ze.url, { route: ZE })).url;
    return probe([url, ...args], script);
  };
  const lines = ({ out }: Probed) => out.trimEnd().split('\n');

  it('is asked, answers, and gets what the command prints', async () => {
    const run = await walk(
      ['--elicit', 'form'],
      ['elicit-answer accept show bgp peer list', '@ze_execute {}'],
    );
    expect(lines(run)).toEqual([
      '> tools/call ze_execute id=1',
      ...QUESTION,
      '  ze_execute_command = {"action":"accept","content":{"command":"show bgp peer list"}}',
      '> tools/call ze_execute id=2',
      '< complete',
      '  192.0.2.1 AS64496 established',
      '  192.0.2.2 AS64497 established',
      '  198.51.100.7 AS64511 active',
    ]);
    expect(run.code).toBe(0);
  });

  it.each([
    ['decline', 'the user declined to give a command; nothing was run'],
    ['cancel', 'the user cancelled; nothing was run'],
  ])('%s is told apart from an omission, and ends the call', async (action, said) => {
    const run = await walk([], [`elicit-answer ${action}`, '@ze_execute {}']);
    expect(lines(run).slice(5)).toEqual([
      `  ze_execute_command = {"action":"${action}"}`,
      '> tools/call ze_execute id=2',
      '< complete, the tool failed',
      `  ${said}`,
    ]);
    expect(run.code).toBe(1);
  });

  it('an omission is asked again, and can then be answered', async () => {
    const script = ['elicit-answer omit', 'elicit-answer accept show version', '@ze_execute {}'];
    const run = await walk([], script);
    expect(lines(run)).toEqual([
      '> tools/call ze_execute id=1',
      ...QUESTION,
      '  ze_execute_command = omitted',
      '> tools/call ze_execute id=2',
      ...QUESTION,
      '  ze_execute_command = {"action":"accept","content":{"command":"show version"}}',
      '> tools/call ze_execute id=3',
      '< complete',
      '  ze demo stand-in',
    ]);
    expect(run.code).toBe(0);
  });

  it('an omission that nobody makes good is left as a question', async () => {
    const run = await walk([], ['elicit-answer omit', '@ze_execute {}']);
    expect(lines(run).at(-1)).toBe(
      '! ze_execute_command is left without an answer: queue one with `elicit-answer` before the call',
    );
    expect(run.code).toBe(1);
  });

  it('a requestState that nobody issued is refused with status, code and sentence', async () => {
    const run = await walk(
      [],
      ['state c2Vzc2lvbg', '@ze_execute {"command":"show version"}', 'state x', 'list'],
    );
    expect(lines(run).filter((line) => line.startsWith('probe '))).toEqual([REFUSED, REFUSED]);
    expect(run.out).not.toContain('c2Vzc2lvbg');
    expect(run.code).toBe(3);
  });

  it.each([
    ['form', 'none'],
    ['', 'none'],
    ['form,url', 'none'],
    ['url', 'command'],
    ['none', 'command'],
  ])('a client that declares %j sees ze_execute require: %s', async (elicit, required) => {
    const run = await walk(['--elicit', elicit], ['list']);
    expect(run.out).toContain(`  ze_execute  required: ${required}  Runs one`);
    expect(run.code).toBe(0);
  });

  it.each(['url', 'none'])(
    'a client that declares %j gets an error instead of a question',
    async (elicit) => {
      const run = await walk(['--elicit', elicit], ['@ze_execute {}']);
      expect(lines(run).slice(1)).toEqual([
        '< complete, the tool failed',
        '  missing required argument: command',
      ]);
      expect(run.code).toBe(1);
    },
  );

  it('no task asks', async () => {
    const run = await walk(['--capability', 'tasks'], ['@ze_rib_dump', 'task']);
    expect(run.out).toMatch(/^< task [0-9a-f-]+ working$/m);
    expect(run.out).toMatch(/^ {2}task [0-9a-f-]+ completed\n {2}Prefix/m);
    expect(run.out).not.toContain('input_required');
    expect(run.code).toBe(0);
  });

  it('a change is heard of while the next lines run', async () => {
    const script = ['listen 1s', '@ze_execute {"command":"daemon reload"}'];
    const run = await walk([], script);
    expect(lines(run).filter((line) => line.startsWith('< notifications/'))).toEqual([
      '< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}',
      '< notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":1}}',
    ]);
    expect(run.code).toBe(0);
  });
});

describe('the rule that refused', () => {
  it('is named when the gateway did', async () => {
    const { url } = await startGateway(ze.url, { route: ZE });
    const { out } = await probe([url], ['state x', '@ze_execute']);
    expect(out).toContain('  rule: request-state-accepted\n  spec: https://modelcontextprotocol.io/');
  });
});
