import { describe, expect, it } from 'vitest';
import { FORM } from '../support/client.js';
import { exchange, resultOf, streamed } from './exchange.js';

const TOOL = {
  name: 'book',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const RENDERED = { name: 'book', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } };
const page = (more: object) => ({
  resultType: 'complete',
  tools: [TOOL],
  ttlMs: 60_000,
  cacheScope: 'public',
  ...more,
});
const list = { method: 'tools/list', id: 'page 2', capabilities: FORM };
const elicits = { config: { route: { tools: { book: { elicits: ['city'] } } } } };

const PAGES: readonly (readonly [string, object])[] = [
  ['an empty cursor, which is one', { nextCursor: '' }],
  ['an opaque cursor', { nextCursor: 'eyJvIjoxfQ==' }],
  ['a cursor that looks like a number', { nextCursor: '0' }],
  ['no cursor, the last page', {}],
  [
    'members of its own',
    { nextCursor: 'n', _meta: { 'com.example/total': 18446744073709551615n.toString() }, more: null },
  ],
];

describe.each(PAGES)('a page of tools with %s', (_, more) => {
  it('comes through byte for byte where no tool asks for anything', async () => {
    const message = resultOf(page(more), list.id);
    expect((await exchange({ ...list, reply: message })).text).toBe(JSON.stringify(message));
  });

  it.each([
    ['a body', (message: unknown) => message],
    ['a stream', streamed],
  ])('is rewritten as %s and keeps its cursor', async (_, deliver) => {
    const answer = await exchange({ ...list, ...elicits, reply: deliver(resultOf(page(more), list.id)) });
    const result = { ...page(more), tools: [RENDERED], cacheScope: 'private' };
    expect(answer.message).toEqual(resultOf(result, list.id));
    expect('nextCursor' in answer.message.result).toBe('nextCursor' in more);
  });
});

describe('the cursor of a request', () => {
  it.each([[''], ['0'], ['eyJvIjoxfQ=='], ['naïve ☕']])('arrives as it is: %j', async (cursor) => {
    const answer = await exchange({
      ...list,
      ...elicits,
      params: { cursor },
      reply: resultOf(page({}), list.id),
    });
    expect(answer.status).toBe(200);
    expect(answer.requests[0]?.json().params?.cursor).toBe(cursor);
  });
});

describe('lists of other things', () => {
  it.each([
    ['prompts/list', { prompts: [{ name: 'p' }] }],
    ['resources/list', { resources: [] }],
    ['resources/templates/list', { resourceTemplates: [] }],
  ])('%s keeps its pages and its scope', async (method, entries) => {
    const message = resultOf({
      resultType: 'complete',
      ...entries,
      ttlMs: 5,
      cacheScope: 'public',
      nextCursor: '',
    });
    const answer = await exchange({ ...elicits, method, reply: message });
    expect(answer.text).toBe(JSON.stringify(message));
  });
});
