import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/adapters/log.js';
import { describeIf } from '../support/programs.js';

const FULL = '/dev/full';
const LINES = 20_000;

function writer(ending: string, stdout: 'pipe' | number = 'pipe', lines = LINES): ChildProcess {
  const script = new URL('./log-writer.ts', import.meta.url).pathname;
  const args = ['--import', 'tsx', script, ending, String(lines)];
  return spawn(process.execPath, args, { stdio: ['pipe', stdout, 'pipe'] });
}

async function exitCode(child: ChildProcess): Promise<unknown> {
  return (await once(child, 'exit'))[0];
}

/** A logger whose lines are kept. */
function kept(level = 'info') {
  const lines: string[] = [];
  const logger = createLogger(level, { write: (line) => void lines.push(line) });
  return { logger, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>, lines };
}

describe('a log line', () => {
  it('is JSON with a named level, ISO time and message', () => {
    const { logger, lines, last } = kept();
    logger.warn({ url: 'http://127.0.0.1/mcp' }, 'listening');
    expect(lines.join('')).toMatch(/^[^\n]+\n$/);
    expect(last()).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      url: 'http://127.0.0.1/mcp',
      msg: 'listening',
    });
  });

  it('below the level is left out', () => {
    const { logger, lines } = kept('warn');
    logger.info('no');
    expect(lines).toEqual([]);
  });

  it('shows no headers, request or response', () => {
    const { logger, lines } = kept();
    const headers = { authorization: 'Bearer canary' };
    logger.error({ headers, req: { headers }, res: { headers } }, 'unexpected');
    expect(lines.join('')).not.toContain('canary');
  });

  it('shows an error with its cause, and not what else hangs on it', () => {
    const { logger, last, lines } = kept();
    const cause = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      rawPacket: 'canary',
    });
    logger.error({ err: Object.assign(new Error('no answer', { cause }), { headers: 'canary' }) }, 'failed');
    expect(lines.join('')).not.toContain('canary');
    expect(last().err).toMatchObject({
      type: 'Error',
      message: 'no answer',
      stack: expect.stringContaining('log.test.ts'),
      cause: { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
    });
  });

  it('does not quote what could not be parsed', () => {
    const { logger, last, lines } = kept();
    try {
      JSON.parse('canary');
    } catch (error) {
      logger.error({ err: new Error('wrapped', { cause: error }) }, 'failed');
      logger.error({ err: error }, 'failed');
    }
    expect(lines.join('')).not.toContain('canary');
    expect(last().err).toMatchObject({ type: 'SyntaxError', stack: expect.stringContaining('at ') });
  });

  it.each(['canary', { headers: 'canary' }, 7])('shows nothing of a thrown %j but its type', (thrown) => {
    const { logger, last, lines } = kept();
    logger.error({ err: thrown }, 'failed');
    expect(lines.join('')).not.toContain('canary');
    expect(last().err).toMatchObject({ type: typeof thrown });
  });
});

describe('the audit log', () => {
  it('is written whatever the level of the log', async () => {
    const child = writer('audit', 'pipe', 1);
    const [output] = await Promise.all([text(child.stdout ?? expect.fail()), exitCode(child)]);
    expect(
      output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([expect.objectContaining({ line: 0 }), { audited: true }]);
  });
});

describe('the log of a process', () => {
  it.each([
    ['ends by itself', 'end', 0],
    ['exits at once', 'exit', 0],
    ['exits in the middle of a write', 'exit-while-writing', 0],
    ['exits while lines with more bytes than characters are written', 'exit-while-writing-long', 0],
    ['crashes', 'throw', 1],
    ['flushes and exits', 'flush', 0],
  ])('that %s has every line, whole and in order', async (_, ending, code) => {
    const child = writer(ending);
    const [output, exit] = await Promise.all([text(child.stdout ?? expect.fail()), exitCode(child)]);
    const lines = output.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: LINES }, (_, n) => n));
    expect(exit).toBe(code);
  });

  it('at a terminal is for people, and just as complete', async () => {
    const child = writer('pretty', 'pipe', 3);
    const [output] = await Promise.all([text(child.stdout ?? expect.fail()), exitCode(child)]);
    expect(output.trimEnd().split('\n')).toHaveLength(3);
    expect(output).toContain('a line');
    expect(() => JSON.parse(output.split('\n')[0] ?? '')).toThrow();
  });

  it('whose reader is gone goes on in silence, and a flush has nothing to wait for', async () => {
    const child = writer('go-on', 'pipe', 1);
    await once(child.stdout ?? expect.fail(), 'data');
    child.stdout?.destroy();
    child.stdin?.write('closed');
    const [said, exit] = await Promise.all([text(child.stderr ?? expect.fail()), exitCode(child)]);
    expect(said).toBe('alive');
    expect(exit).toBe(0);
  });

  it('whose reader stands still can exit after a while', async () => {
    const child = writer('flush');
    const stderr = child.stderr ?? expect.fail();
    expect(String((await once(stderr, 'data'))[0])).toBe('flushed');
    child.stdout?.destroy();
    expect(await exitCode(child)).toBe(0);
  });
});

describeIf(existsSync(FULL), `there is no ${FULL}`, 'the log on a full disk', () => {
  it.each([
    ['ends by itself', 'end', 0],
    ['exits at once', 'exit', 0],
    ['crashes', 'throw', 1],
    ['flushes and exits', 'flush', 0],
  ])('lets a process go that %s', async (_, ending, code) => {
    expect(await exitCode(writer(ending, openSync(FULL, 'w')))).toBe(code);
  });
});
