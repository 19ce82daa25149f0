/** Hostile messages at the built binary: what is made of them takes no more memory than there is, and others are served. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestHeaders, requestText } from '../support/client.js';
import { rawRequest } from '../support/raw.js';
import { answeringOnce, jsonAnswer, resultText } from '../support/raw-upstream.js';
import { type Rig, startRig, survives, toolCall } from '../support/rig.js';
import { gate } from '../support/upstream.js';

const MIB = 1_048_576;
const BODY_BYTES = 4_000_000;
/** Held together, these would be 0.9 GiB of objects. */
const HOSTILE = 8;
/** Everything else that the process takes: measured at 95 MiB, and Node's own room to move. */
const OTHER_MIB = 250;
const HEAP_MIB = 384;

let rig: Rig;
beforeAll(async () => {
  const timeouts = { requestMs: 120_000, headersMs: 120_000, bodyIdleMs: 120_000 };
  rig = await startRig({ timeouts }, undefined, { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` });
});
afterAll(() => rig.stop());

const LONGEST_MS = 120_000;

function hostile(id: string, element: string): Buffer {
  const params = { name: 'book', arguments: { filling: '' } };
  const fields = Object.entries(requestHeaders('tools/call', { params })).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const elements = Array(Math.floor(BODY_BYTES / (element.length + 1))).fill(element);
  const text = requestText('tools/call', { id, params }).replace('""', `[${elements.join(',')}]`);
  return rawRequest('POST /mcp', fields, text);
}

async function series(name: string): Promise<number> {
  return (await rig.counts()).get(name) ?? 0;
}

/** The ids of the messages that are answered, in the order in which the gateway began to send them. */
function arriving(): string[] {
  const ids: string[] = [];
  let begun = 0;
  rig.upstream.use(async ({ request, send, socket }) => {
    const place = begun;
    begun += 1;
    const got = await request();
    ids[place] = got.id;
    await send(jsonAnswer(resultText(got), 'connection: close'));
    socket.end();
  });
  return ids;
}

describe('requests of nothing but small values', () => {
  it('that come all at once are read one after the other, and what others send in between', {
    timeout: LONGEST_MS,
  }, async () => {
    await survives(rig, { outcomes: Array(HOSTILE + 1).fill('ok') }, async () => {
      const ids = arriving();
      const bytes = hostile('h', '{}');
      const clients = await Promise.all(Array.from({ length: HOSTILE + 1 }, () => rig.connect()));
      const other = clients.pop();
      for (const { socket } of clients) socket.write(bytes.subarray(0, -1));
      const allButTheirEnds = HOSTILE * 0.99 * BODY_BYTES;
      await expect
        .poll(() => series('buffered_bytes'), { timeout: LONGEST_MS, interval: 50 })
        .toBeGreaterThan(allButTheirEnds);
      for (const { socket } of clients) socket.write(bytes.subarray(-1));
      other?.socket.write(toolCall('other'));
      for (const client of [other, ...clients]) expect((await client?.answer())?.status).toBe(200);
      expect(ids).toHaveLength(HOSTILE + 1);
      expect(ids.indexOf('"other"')).toBeLessThan(HOSTILE - 1);
    });
  });

  it('are held as the bytes that they are, whatever they would be in memory, and others are served', {
    timeout: LONGEST_MS,
  }, async () => {
    const outcomes = ['ok', ...Array(HOSTILE).fill('ok')];
    await survives(rig, { outcomes }, async () => {
      const released = gate();
      const arrived = Array.from({ length: HOSTILE }, () => gate());
      let asked = 0;
      rig.upstream.use(async ({ request, send, socket }) => {
        const got = await request();
        arrived[asked]?.open();
        asked += 1;
        await released.opened;
        await send(jsonAnswer(resultText(got), 'connection: close'));
        socket.end();
      });
      const answers: Promise<{ readonly status: number }>[] = [];
      for (let n = 0; n < HOSTILE; n += 1) {
        answers.push(rig.send(hostile(`h${n}`, '{}')));
        await arrived[n]?.opened;
      }
      const held = await series('buffered_bytes');
      expect(held).toBeGreaterThan(HOSTILE * 0.99 * BODY_BYTES);
      expect(held).toBeLessThan(HOSTILE * 1.01 * BODY_BYTES);
      rig.upstream.use(answeringOnce);
      expect((await rig.send(toolCall('other'))).json().id).toBe('other');
      const resident = await series('process_resident_memory_bytes');
      expect(resident / MIB).toBeLessThan(OTHER_MIB + HEAP_MIB + held / MIB);
      released.open();
      for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    });
  });
});
