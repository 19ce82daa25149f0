import { describe, expect, it } from 'vitest';
import type { RewriteId } from '../../src/engine/policy.js';
import { rewriteRequest } from '../../src/rewrites/index.js';
import { accepted, exchange } from '../rules/fixtures.js';
import { route } from './fixtures.js';

const POLICY = route(['open-request-state'], { requestState: 'seal' });

function opened(text: string, inner: string | undefined): { text: string | undefined; told: RewriteId[] } {
  const told: RewriteId[] = [];
  const input = exchange({ policy: POLICY, facts: { state: accepted({ inner }) } });
  const account = { route: POLICY, observer: { rewrote: (_: unknown, id: RewriteId) => void told.push(id) } };
  return { text: rewriteRequest(input, text, account), told };
}

describe('open-request-state', () => {
  it.each([
    ['as it was written', '"caf\\u00e9 \\/ é"'],
    ['however short', '""'],
    ['with text that looks like a member', '"\\",\\"requestState\\":\\"x"'],
  ])('puts the string of the server where the token was, %s', (_, inner) => {
    const before = '{"id":2, "params":{"name":"book" ,"requestState" : ';
    const after = ',"n":12345678901234567890}}';
    expect(opened(`${before}"to\\u006ben"${after}`, inner)).toEqual({
      text: `${before}${inner}${after}`,
      told: ['open-request-state'],
    });
  });

  it.each([
    ['last', '{"params":{"name":"book","requestState":"token"}}', '{"params":{"name":"book"}}'],
    ['first', '{"params":{ "requestState":"token", "name":"book"}}', '{"params":{ "name":"book"}}'],
    ['in between', '{"params":{"a":1, "requestState":"token" ,"b":2}}', '{"params":{"a":1 ,"b":2}}'],
    ['alone', '{"params":{"requestState":"token"}}', '{"params":{}}'],
  ])('takes a token that stands for nothing away with its comma, when it stands %s', (_, text, without) => {
    expect(opened(text, undefined).text).toBe(without);
  });

  it('leaves members of the name elsewhere alone', () => {
    const text = '{"requestState":1,"params":{"arguments":{"requestState":"a"},"requestState":"token"}}';
    expect(opened(text, '"s"').text).toBe(text.replace('"token"', '"s"'));
  });

  it('has nothing to do for a request without a token', () => {
    const account = { route: POLICY, observer: { rewrote: () => expect.unreachable() } };
    expect(rewriteRequest(exchange({ policy: POLICY }), '{}', account)).toBeUndefined();
  });
});
