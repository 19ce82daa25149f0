import { describe, expect, it } from 'vitest';
import { Answer, type BodySink } from '../../src/adapters/answer.js';

/** As large as pieces are that are not put together while they wait. */
const BLOCK = Buffer.alloc(16_384);

function connection() {
  const calls: string[] = [];
  const note = (call: string) => () => void calls.push(call);
  return { calls, abort: note('abort'), resume: note('resume') };
}

/** Takes so many pieces each time before it asks for a pause. */
function sinkOf(appetite: number) {
  const took: string[] = [];
  const sink: BodySink = {
    chunk: (bytes) => {
      took.push(`${bytes.length}`);
      return took.length % appetite !== 0;
    },
    end: () => void took.push('end'),
    failed: ({ reason }) => void took.push(reason),
  };
  return { took, sink };
}

function begun() {
  const { calls, abort, resume } = connection();
  const answer = new Answer();
  answer.onConnect(abort);
  answer.onHeaders(200, [], resume);
  const send = (bytes: Buffer) => {
    if (!answer.onData(bytes)) calls.push('pause');
  };
  return { answer, calls, send };
}

describe('the body of an answer', () => {
  it('waits until it is taken', () => {
    const { answer, send } = begun();
    send(BLOCK);
    answer.onComplete();
    const { took, sink } = sinkOf(9);
    answer.take(sink);
    expect(took).toEqual(['16384', 'end']);
  });

  it('pauses its connection only when much of it waits, and resumes it only when none does', () => {
    const { answer, calls, send } = begun();
    const { took, sink } = sinkOf(1);
    answer.take(sink);
    calls.length = 0;
    for (let n = 0; n < 8; n += 1) send(BLOCK);
    expect([took.length, calls]).toEqual([1, []]);
    send(BLOCK);
    expect(calls).toEqual(['pause']);
    for (let n = 0; n < 7; n += 1) answer.resume();
    expect([took.length, calls]).toEqual([8, ['pause']]);
    answer.resume();
    expect([took.length, calls]).toEqual([9, ['pause']]);
    answer.resume();
    expect(calls).toEqual(['pause', 'resume']);
  });

  it('comes whole before its end', () => {
    const { answer, send } = begun();
    const { took, sink } = sinkOf(1);
    answer.take(sink);
    send(BLOCK);
    send(BLOCK);
    answer.onComplete();
    expect(answer.ended).toBe(true);
    expect(took).toEqual(['16384']);
    answer.resume();
    answer.resume();
    expect(took).toEqual(['16384', '16384', 'end']);
  });

  it('comes as far as it came before the connection was lost', () => {
    const { answer, send } = begun();
    const { took, sink } = sinkOf(1);
    answer.take(sink);
    send(BLOCK);
    send(BLOCK);
    answer.onError(Object.assign(new Error('lost'), { code: 'ECONNRESET' }));
    answer.resume();
    answer.resume();
    expect(took).toEqual(['16384', '16384', 'reset']);
  });

  it('stops at once when it is given up, and the sink is told', () => {
    const { answer, calls, send } = begun();
    const { took, sink } = sinkOf(1);
    answer.take(sink);
    send(BLOCK);
    send(BLOCK);
    calls.length = 0;
    answer.abort();
    answer.resume();
    send(BLOCK);
    answer.onError(new Error('aborted'));
    answer.abort();
    expect([took, calls]).toEqual([['16384', 'reset'], ['abort']]);
  });

  it('may be given up or resumed by its sink while it is delivered', () => {
    const { answer, send } = begun();
    for (let n = 0; n < 4; n += 1) send(BLOCK);
    const took: string[] = [];
    answer.take({
      chunk: () => {
        took.push('chunk');
        if (took.length === 2) answer.abort();
        answer.resume();
        return false;
      },
      end: () => undefined,
      failed: () => void took.push('failed'),
    });
    answer.resume();
    expect(took).toEqual(['chunk', 'chunk', 'failed']);
  });
});

describe('a request that is given up before it is sent', () => {
  it('rejects at once, and is never sent', async () => {
    const { calls, abort } = connection();
    const answer = new Answer();
    answer.abort();
    await expect(answer.head()).rejects.toMatchObject({ reason: 'reset' });
    answer.onConnect(abort);
    expect(calls).toEqual(['abort']);
  });
});
