import { describe, expect, it } from 'vitest';
import { elicits, rewritten, route } from './fixtures.js';

const TOOLS = elicits({ ze_execute: ['command'] });

function list(result: string, listTtlMs?: number, tools = TOOLS, method = 'tools/list'): string {
  const policy = route(['list-scope-private'], { tools, listTtlMs });
  return rewritten(`{"id":1,"result":${result}}`, { method, policy }).text.slice(
    '{"id":1,"result":'.length,
    -1,
  );
}

describe('list-scope-private', () => {
  it.each([
    [
      'public',
      '{"tools":[],"cacheScope":"public","ttlMs":5}',
      '{"tools":[],"cacheScope":"private","ttlMs":5}',
    ],
    ['absent', '{"tools":[], "ttlMs":5 }', '{"tools":[], "ttlMs":5,"cacheScope":"private" }'],
    ['in an empty result', '{}', '{"cacheScope":"private"}'],
    ['no string', '{"cacheScope":{"a":[1]},"tools":[]}', '{"cacheScope":"private","tools":[]}'],
    ['with a cursor', '{"tools":[],"nextCursor":""}', '{"tools":[],"nextCursor":"","cacheScope":"private"}'],
    ['already private', '{"cacheScope" : "private","tools":[]}', '{"cacheScope" : "private","tools":[]}'],
    ['of a complete result', '{"resultType":"complete"}', '{"resultType":"complete","cacheScope":"private"}'],
  ])('makes a scope that is %s private', (_, sent, changed) => {
    expect(list(sent)).toBe(changed);
    expect(list(changed)).toBe(changed);
  });

  it('caps the time to live, and keeps a shorter one', () => {
    const result = (ttlMs: string) => `{"ttlMs":${ttlMs},"cacheScope":"private"}`;
    expect(list(result('3600000'), 60_000)).toBe(result('60000'));
    expect(list(result('1e9'), 60_000)).toBe(result('60000'));
    expect(list(result('5'), 60_000)).toBe(result('5'));
    expect(list(result('60000'), 60_000)).toBe(result('60000'));
    expect(list(result('3600000'), 0)).toBe(result('0'));
    expect(list(result('-1'), 0)).toBe(result('-1'));
    expect(list(result('"3600000"'), 0)).toBe(result('"3600000"'));
    expect(list('{"cacheScope":"private"}', 0)).toBe('{"cacheScope":"private"}');
    expect(list(result('18446744073709551615'))).toBe(result('18446744073709551615'));
  });

  it('leaves lists that do not depend on the caller, other answers and interim results', () => {
    const result = '{"cacheScope":"public","ttlMs":9}';
    expect(list(result, 0, elicits({}))).toBe(result);
    expect(list(result, 0, elicits({ plain: [] }))).toBe(result);
    expect(list(result, 0, TOOLS, 'prompts/list')).toBe(result);
    expect(list('{"resultType":"input_required"}')).toBe('{"resultType":"input_required"}');
    expect(list('[]')).toBe('[]');
  });
});
