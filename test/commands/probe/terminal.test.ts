/** A person at a terminal, which is a real one. */
import { expect, it, onTestFinished } from 'vitest';
import { startDemoUpstream } from '../../../src/demo/upstream.js';
import { describeWith } from '../../support/programs.js';
import { startTerminal, type Terminal } from '../../support/terminal.js';
import { resultReply, startUpstream, type Upstream } from '../../support/upstream.js';
import { startUrlFixture } from '../../support/url-fixture.js';

const ESCAPE = '\u001b';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const DONE = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };

const RICH = {
  type: 'object',
  properties: {
    email: { type: 'string', format: 'email', title: 'E-mail', description: 'Where to write to' },
    age: { type: 'integer', minimum: 18, default: 30 },
    news: { type: 'boolean', default: false },
    colour: {
      type: 'string',
      oneOf: [
        { const: '#f00', title: 'Red' },
        { const: '#0f0', title: 'Green' },
      ],
    },
    sizes: { type: 'array', items: { type: 'string', enum: ['S', 'M', 'L'] }, maxItems: 2 },
    note: { type: 'string' },
  },
  required: ['email', 'colour'],
};

/** Asks with this form once, then is done. */
async function asking(requestedSchema: object, message = 'Who are you?'): Promise<Upstream> {
  const inputRequests = { contact: { method: 'elicitation/create', params: { message, requestedSchema } } };
  const upstream = await startUpstream((request) =>
    resultReply(
      request,
      request.json().params?.inputResponses === undefined
        ? { resultType: 'input_required', inputRequests }
        : DONE,
    ),
  );
  onTestFinished(() => upstream.close());
  return upstream;
}

async function answered(upstream: Upstream): Promise<unknown> {
  return ((await upstream.request(1)).json().params?.inputResponses as Record<string, unknown> | undefined)
    ?.contact;
}

/** Types each line when what is before it has been shown. */
async function converse(
  terminal: Terminal,
  steps: readonly (readonly [shown: string, typed: string])[],
): Promise<void> {
  for (const [shown, typed] of steps) {
    await terminal.until(shown);
    terminal.type(typed);
  }
}

describeWith('python3', 'a probe at a terminal', (python) => {
  const at = (url: string, ...flags: readonly string[]) => startTerminal(python, ['probe', url, ...flags]);

  it('takes directives by hand, and asks what the server asks', async () => {
    const ze = await startDemoUpstream({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => ze.close());
    const terminal = at(ze.url);
    await converse(terminal, [
      ['probe> ', '@ze_excute\r'],
      ['message=invalid params: unknown tool', ''],
      ['probe> ', 'lst\r'],
      ['not a directive; did you mean `list`?', ''],
      ['probe> ', '@ze_execute\r'],
      [`The server at ${new URL(ze.url).host} asks (ze_execute_command):`, ''],
      ['Which ze command should be run?', ''],
      ['command (ze command): text, required', ''],
      ['command> ', '\r'],
      ['it is required', ''],
      ['command> ', 'show version\r'],
      ['command: "show version"', ''],
      ['[y] send', 'y\r'],
      ['ze demo stand-in', ''],
      ['probe> ', CTRL_D],
    ]);
    expect(await terminal.code).toBe(3);
  });

  it('shows fields with titles, types, options and defaults, and judges what is typed', async () => {
    const upstream = await asking(RICH);
    const terminal = at(upstream.url, '--do', '@t');
    await converse(terminal, [
      ['email (E-mail): text, required, email', ''],
      ['Where to write to', ''],
      ['email> ', 'nobody\r'],
      ['it is not of the format that the form asks for (email)', ''],
      ['email> ', 'me@example.com\r'],
      ['age: integer, optional, at least 18, by default 30', ''],
      ['age [30]> ', '17\r'],
      ['it is outside the bounds that the form sets (at least 18)', ''],
      ['age [30]> ', 'many\r'],
      ['it is not of the type', ''],
      ['age [30]> ', '\r'],
      ['news [false]> ', 'y\r'],
      ['1) Red = #f00', ''],
      ['2) Green = #0f0', ''],
      ['colour> ', '3\r'],
      ['it is none of the options', ''],
      ['colour> ', '2\r'],
      ['sizes> ', '1, L\r'],
      ['note> ', '//decline\r'],
      ['[y] send  [e] edit  [n] decline  [c] cancel > ', 'e\r'],
      ['email ["me@example.com"]> ', 'you@example.com\r'],
      ['age [30]> ', '\r'],
      ['news [true]> ', '\r'],
      ['colour ["#0f0"]> ', '\r'],
      ['sizes [["S","L"]]> ', '\r'],
      ['note ["/decline"]> ', '\r'],
      ['[y] send', 'y\r'],
      ['done', ''],
    ]);
    expect(await terminal.code).toBe(0);
    expect(await answered(upstream)).toEqual({
      action: 'accept',
      content: {
        email: 'you@example.com',
        age: 30,
        news: true,
        colour: '#0f0',
        sizes: ['S', 'L'],
        note: '/decline',
      },
    });
  });

  it.each([
    ['/decline', '/decline\r', { action: 'decline' }],
    ['/cancel', '/cancel\r', { action: 'cancel' }],
    ['Esc', ESCAPE, { action: 'cancel' }],
    ['Esc after half a word', `hal${ESCAPE}`, { action: 'cancel' }],
    ['Ctrl-D', CTRL_D, { action: 'cancel' }],
    ['/omit', '/omit\r', undefined],
  ])('lets %s answer in the middle of a form', async (_, keys, answer) => {
    const upstream = await asking(RICH);
    const terminal = at(upstream.url, '--do', '@t');
    await converse(terminal, [
      ['email> ', 'me@example.com\r'],
      ['age [30]> ', keys],
      ['done', ''],
    ]);
    expect(await terminal.code).toBe(0);
    expect(await answered(upstream)).toEqual(answer);
  });

  it.each([
    ['n', { action: 'decline' }],
    ['c', { action: 'cancel' }],
  ])('lets %s refuse when all is filled in', async (letter, answer) => {
    const upstream = await asking({ properties: { a: { type: 'string' } } });
    const terminal = at(upstream.url, '--do', '@t');
    await converse(terminal, [
      ['a> ', 'x\r'],
      ['[y] send', 'what?\r'],
      ['Please answer y, e, n or c.', ''],
      ['[y] send', `${letter}\r`],
      ['done', ''],
    ]);
    expect(await answered(upstream)).toEqual(answer);
  });

  it('goes on with its directives after a form was dismissed', async () => {
    const upstream = await asking({ properties: { a: { type: 'string' } } });
    const terminal = at(upstream.url);
    await converse(terminal, [
      ['probe> ', '@t\r'],
      ['a> ', CTRL_D],
      ['done', ''],
      ['probe> ', 'quit\r'],
    ]);
    expect(await terminal.code).toBe(0);
  });

  it('asks before a page is visited, and again until it was', async () => {
    const fixture = await startUrlFixture();
    onTestFinished(() => fixture.close());
    const terminal = at(fixture.url, '--elicit', 'url', '--do', '@connect');
    const { host } = new URL(fixture.url);
    await converse(terminal, [
      [`host: ${host}`, ''],
      [`url: http://${host}/connect?account=`, ''],
      ['It is neither opened nor fetched here', ''],
      ['[y] I agree, go on  [n] decline  [c] cancel > ', 'y\r'],
      ['asks again (connect_account)', ''],
      ['What it is about has not happened yet', ''],
    ]);
    await terminal.until('[y] I agree');
    expect(fixture.opened).toEqual([]);
    await fixture.finish();
    terminal.type('y\r');
    await terminal.until('connected');
    expect(await terminal.code).toBe(0);
  });

  it.each([
    ['n', 'decline'],
    ['c', 'cancel'],
    [ESCAPE, 'cancel'],
  ])('lets %j refuse a page', async (letter, action) => {
    const fixture = await startUrlFixture();
    onTestFinished(() => fixture.close());
    const terminal = at(fixture.url, '--elicit', 'url', '--do', '@connect');
    await converse(terminal, [
      ['[y] I agree', letter === ESCAPE ? letter : `${letter}\r`],
      [`not connected: ${action}`, ''],
    ]);
    expect([await terminal.code, fixture.opened]).toEqual([1, []]);
  });

  it('warns of a page that is not what it looks like', async () => {
    const params = { mode: 'url', message: 'm', url: 'http://bank.example@xn--80ak6aa92e.example/\u202egpj' };
    const inputRequests = { k: { method: 'elicitation/create', params } };
    const upstream = await startUpstream((request) =>
      resultReply(request, { resultType: 'input_required', inputRequests }),
    );
    onTestFinished(() => upstream.close());
    const terminal = at(upstream.url, '--elicit', 'url', '--do', '@t');
    await converse(terminal, [
      ['host: xn--80ak6aa92e.example', ''],
      ['url: http://bank.example@xn--80ak6aa92e.example/\\u{202e}gpj', ''],
      ['warning: it is not https', ''],
      ['warning: what stands before the @ is not the host', ''],
      ['warning: the host name has letters that may look like others', ''],
      ['[y] I agree', CTRL_C],
    ]);
    expect(await terminal.code).toBe(130);
  });

  it('lets no server act on the terminal', async () => {
    const evil = 'x\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e';
    const field = { type: 'string', title: evil, description: evil, default: evil };
    const upstream = await asking({ properties: { [evil]: field } }, evil);
    const terminal = at(upstream.url, '--do', '@t');
    await converse(terminal, [
      ['> ', '\r'],
      ['[y] send', 'y\r'],
      ['done', ''],
    ]);
    expect(await terminal.code).toBe(0);
    expect(terminal.bytes()).toContain('x\\u{1b}]0;owned\\u{7}\\u{1b}[2J\\u{9b}31m\\u{202e}');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may come
    expect(terminal.screen()).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(terminal.bytes()).not.toContain('\u001b[2J');
  });

  it('is coloured, unless NO_COLOR says not to', async () => {
    const upstream = await asking({ properties: {} });
    const sgr = `${ESCAPE}[32m`;
    const script = ['probe', upstream.url, '--do', 'elicit-answer accept', '--do', '@t'];
    const coloured = startTerminal(python, script);
    expect(await coloured.code).toBe(0);
    expect(coloured.bytes()).toContain(sgr);
    const plain = startTerminal(python, script, { NO_COLOR: '1' });
    expect(await plain.code).toBe(0);
    expect(plain.bytes()).not.toContain(ESCAPE);
  });
});

describeWith('python3', 'the log at a terminal', (python) => {
  it('is for people, and coloured unless NO_COLOR says not to', async () => {
    const script = ['demo', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
    const coloured = startTerminal(python, script);
    await coloured.until('listening');
    expect(coloured.bytes()).toContain(`${ESCAPE}[`);
    const plain = startTerminal(python, script, { NO_COLOR: '1' });
    await plain.until('listening');
    expect(plain.bytes()).not.toContain(ESCAPE);
  });
});
