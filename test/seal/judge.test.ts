import { describe, expect, it } from 'vitest';
import type { StateToken } from '../../src/engine/state.js';
import { decodeState, encodeState } from '../../src/seal/content.js';
import { judgeToken, type Presented } from '../../src/seal/judge.js';

const OPERATION = { route: 'mcp', method: 'tools/call', target: 'book', principal: 'p' };
const TOKEN: StateToken = {
  ...OPERATION,
  params: 'd',
  issuedAt: 1_000_000,
  expiresAt: 1_600_000,
  firstAt: 400_000,
  round: 3,
  answered: '1',
  asked: [
    {
      key: 'seats',
      kind: 'elicitation_form',
      schema: { properties: { n: { type: 'integer' } }, required: ['n'] },
    },
    { key: '__proto__', kind: 'elicitation_url', schema: undefined },
    { key: 'summary', kind: 'sampling', schema: undefined },
    { key: 'places', kind: 'roots', schema: undefined },
  ],
  inner: '"caf\\u00e9 \\n \u2028"',
};
const RETRY: Presented = { operation: OPERATION, params: () => 'd', id: '2', now: 1_000_001, maxRounds: 3 };

describe('the content of a token', () => {
  it.each([
    ['with a state of the server', TOKEN],
    ['without one', { ...TOKEN, inner: undefined }],
    ['with an empty one', { ...TOKEN, inner: '""' }],
    ['with nothing asked', { ...TOKEN, asked: [] }],
    ['with odd names', { ...TOKEN, route: 'a\nb', target: 'x\n"y"\ud800', answered: '"\\n"' }],
  ])('is read as it was written, %s', (_, token) => {
    expect(decodeState(encodeState(token))).toEqual(token);
  });
});

describe('a token on a retry', () => {
  it('is accepted for the operation that it was issued for', () => {
    expect(judgeToken(TOKEN, RETRY)).toBe('accepted');
  });

  it.each<[string, Partial<Presented>, string]>([
    ['another principal', { operation: { ...OPERATION, principal: 'q' } }, 'foreign'],
    ['nobody in particular', { operation: { ...OPERATION, principal: '' } }, 'foreign'],
    ['another route', { operation: { ...OPERATION, route: 'other' } }, 'moved'],
    ['another method', { operation: { ...OPERATION, method: 'prompts/get' } }, 'moved'],
    ['another target', { operation: { ...OPERATION, target: 'cancel' } }, 'moved'],
    ['other arguments', { params: () => 'e' }, 'moved'],
    ['the very moment it expires', { now: TOKEN.expiresAt }, 'expired'],
    ['a later time', { now: TOKEN.expiresAt + 1 }, 'expired'],
    ['the id that it answered', { id: '1' }, 'reused'],
    ['more rounds than are allowed', { maxRounds: 2 }, 'exhausted'],
  ])('is refused for %s', (_, difference, verdict) => {
    expect(judgeToken(TOKEN, { ...RETRY, ...difference })).toBe(verdict);
  });

  it('tells a number from a text in ids', () => {
    expect(judgeToken(TOKEN, { ...RETRY, id: '"1"' })).toBe('accepted');
  });

  it('is good until the moment before it expires, and on a clock that runs behind', () => {
    expect(judgeToken(TOKEN, { ...RETRY, now: TOKEN.expiresAt - 1 })).toBe('accepted');
    expect(judgeToken(TOKEN, { ...RETRY, now: TOKEN.issuedAt - 5_000 })).toBe('accepted');
  });
});
