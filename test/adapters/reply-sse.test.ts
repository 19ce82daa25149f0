import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { replyTo } from '../support/stream-reply.js';

const FAULT = new Error('a fault of the gateway itself');
const fail = () => {
  throw FAULT;
};
const SERVER_REQUEST = Buffer.from('data: {"jsonrpc":"2.0","id":9,"method":"roots/list"}\n\n');

describe('an unexpected error', () => {
  it('while an event is judged ends the reply, and goes to whoever waits for it', async () => {
    await expect(replyTo([SERVER_REQUEST], { observer: { decided: fail } })).rejects.toBe(FAULT);
  });

  it('while a compressed event is judged does so, too', async () => {
    const options = { headers: ['content-encoding', 'gzip'], observer: { decided: fail } };
    await expect(replyTo([gzipSync(SERVER_REQUEST)], options)).rejects.toBe(FAULT);
  });

  it('while the head is written for a ping does so, too', async () => {
    const res = { writeHead: fail };
    await expect(replyTo([], { ssePingMs: 1, open: true, res })).rejects.toBe(FAULT);
  });

  it('while the end of the upstream is told does so, too', async () => {
    await expect(replyTo([], { observer: { upstreamFailed: fail } })).rejects.toBe(FAULT);
  });
});
