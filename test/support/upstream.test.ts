import { afterEach, describe, expect, it } from 'vitest';
import { gate, inPieces, resultReply, sseEvent, sseReply, startUpstream, type Upstream } from './upstream.js';

let upstream: Upstream | undefined;
afterEach(async () => {
  await upstream?.close();
  upstream = undefined;
});

function post(url: string, body: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url, { method: 'POST', body, ...(signal && { signal }) });
}

describe('the scripted upstream', () => {
  it('records what it received and answers with the id of the request', async () => {
    upstream = await startUpstream((request) => resultReply(request, { ok: true }));
    const answer = await post(upstream.url, '{"jsonrpc":"2.0","id":"a","method":"x"}');
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 'a', result: { ok: true } });
    expect(upstream.requests[0]?.target).toBe('/mcp');
    expect((await upstream.request(0)).json().method).toBe('x');
  });

  it('writes a stream step by step, as far as its gates are open', async () => {
    const second = gate();
    upstream = await startUpstream(() => sseReply([sseEvent(1), second.opened, ...inPieces(sseEvent(2))]));
    const answer = await post(upstream.url, '{}');
    const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('data: 1\n\n');
    second.open();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
    expect(rest).toBe('data: 2\n\n');
  });

  it('tells when the other side goes away before the reply is finished', async () => {
    upstream = await startUpstream(() => ({ never: true }));
    const leave = new AbortController();
    const answer = post(upstream.url, '{}', leave.signal).catch(() => 'left');
    const request = await upstream.request(0);
    leave.abort();
    await request.aborted;
    expect(await answer).toBe('left');
  });
});
