/** What the gateway lets through means the same to whoever reads it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GoError } from '../oracle/go-reader.js';
import { goMeaningOf, type Meaning, meaningOf } from '../oracle/meaning.js';
import { ASKING } from '../oracle/values.js';
import { fuzz, Seen } from '../support/fuzz.js';
import { describeWith } from '../support/programs.js';
import { type Case, exchanges } from './exchanges.js';
import { runInProcess } from './in-process.js';
import { startOfficialClient } from './official-reader.js';
import { startPython } from './python-reader.js';

const KINDS = ['request', 'result', 'question', 'notification', 'error'];

/** What the upstream got, if anything, and what of the upstream's the client got. */
async function passed(one: Case): Promise<{ request: string | undefined; answers: readonly string[] }> {
  const { forwarded, messages } = await runInProcess(one);
  const request = forwarded ? Buffer.from(one.asked.body).toString() : undefined;
  return { request, answers: messages.filter((text) => isJson(text) && !text.includes('"spec":"')) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function kindOf({ method, id, type, asked }: Meaning): string {
  if (method !== undefined) return id === undefined ? 'notification' : 'request';
  if (type === undefined) return 'error';
  return asked === undefined ? 'result' : 'question';
}

describe('what is let through', () => {
  it('means the same to a reader that matches names without case, as Go does', async () => {
    const seen = new Seen([...KINDS, 'taken'], 5);
    const property = fc.asyncProperty(exchanges, async (one) => {
      const { request, answers } = await passed(one);
      for (const text of request === undefined ? answers : [request, ...answers]) {
        const meaning = meaningOf(text);
        seen.add(kindOf(meaning));
        const other = inGo(text);
        if (other === undefined) continue;
        seen.add('taken');
        expect(other).toEqual(meaning);
      }
    });
    await fuzz(property, { cases: 1_000, seen });
  });

  it('means the same to the official client', async () => {
    const read = await startOfficialClient();
    const seen = new Seen(['complete', 'input_required', 'not taken'], 5);
    const property = fc.asyncProperty(exchanges, async (one) => {
      const { request, answers } = await passed(one);
      const { method } = meaningOf(request ?? '{}');
      const answer = answers.at(-1);
      if (answer === undefined || !isAsking(method) || meaningOf(answer).method !== undefined) return;
      const { type, state, asked = [] } = meaningOf(answer);
      const official = await read(method, answer, one.cuts.length > 1);
      seen.add(official?.type ?? 'not taken');
      if (official === undefined) return;
      if (type !== 'input_required') expect(official.asked).toEqual([]);
      else expect(official).toEqual({ type, state, asked });
    });
    await fuzz(property, { cases: 300, seen });
  });
});

describeWith(['python3', 'python'], 'what is let through', (python) => {
  it('means the same to Python', async () => {
    const read = startPython(python);
    const seen = new Seen(KINDS, 5);
    const property = fc.asyncProperty(exchanges, async (one) => {
      const { request, answers } = await passed(one);
      for (const text of request === undefined ? answers : [request, ...answers]) {
        const meaning = meaningOf(text);
        seen.add(kindOf(meaning));
        expect(await read(text)).toEqual(meaning);
      }
    });
    await fuzz(property, { cases: 500, seen });
  });
});

describe('the reader that matches names without case', () => {
  it.each<[string, string, Partial<Meaning>]>([
    ['a name in other letters', '{"METHOD":"a"}', { method: 'a' }],
    ['the last of equal names', '{"method":"a","Method":"b"}', { method: 'b' }],
    ['the long s as an s', '{"re\u017fult":{"re\u017fultType":"task"}}', { type: 'task' }],
    ['the Turkish letters as themselves', '{"\u0131d":1,"\u0130d":2}', { id: undefined }],
    ['null as nothing', '{"method":"a","Method":null}', { method: 'a' }],
    ['a struct that comes twice as one', '{"params":{"name":"a"},"Params":{"uri":"b"}}', { name: 'a' }],
    [
      'keys of a map as they are',
      '{"result":{"INPUTREQUESTS":{"a":{},"A":{}}}}',
      { asked: [expect.objectContaining({ key: 'A' }), expect.objectContaining({ key: 'a' })] },
    ],
  ])('takes %s', (_, text, meaning) => {
    expect(goMeaningOf(text)).toMatchObject(meaning);
  });

  it('takes no number for a text', () => {
    expect(inGo('{"Method":1}')).toBeUndefined();
  });
});

function isAsking(method: string | undefined): method is 'tools/call' | 'prompts/get' | 'resources/read' {
  return ASKING.includes(method ?? '');
}

/** Undefined: Go would not take the message. */
function inGo(text: string): Meaning | undefined {
  try {
    return goMeaningOf(text);
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}
