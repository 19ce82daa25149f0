import { describe, expect, it } from 'vitest';
import { paramHeaders, readParamHeaders } from '../../src/client/param-headers.js';
import type { JsonObject } from '../../src/protocol/messages.js';

const tool = (properties: JsonObject): JsonObject => ({
  name: 't',
  inputSchema: { type: 'object', properties },
});
const mirrored = (properties: JsonObject, args: JsonObject) =>
  paramHeaders(readParamHeaders(tool(properties)) ?? [], args);

describe('arguments that a tool wants mirrored', () => {
  it('go into fields of their names, encoded where they must be', () => {
    const properties = {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      plain: { type: 'string' },
      inner: { type: 'object', properties: { deep: { type: 'string', 'x-mcp-header': 'Deep' } } },
    };
    const args = { region: 'Zürich', count: 3, dry: false, plain: 'x', inner: { deep: 'd' } };
    expect(mirrored(properties, args)).toEqual({
      'Mcp-Param-Region': '=?base64?WsO8cmljaA==?=',
      'Mcp-Param-Count': '3',
      'Mcp-Param-Dry': 'false',
      'Mcp-Param-Deep': 'd',
    });
  });

  it('have no field when they are not there', () => {
    expect(mirrored({ a: { type: 'string', 'x-mcp-header': 'A' } }, {})).toEqual({});
    expect(mirrored({ a: { type: 'string', 'x-mcp-header': 'A' } }, { a: null })).toEqual({});
  });

  it.each<[string, JsonObject]>([
    ['is empty', { a: { type: 'string', 'x-mcp-header': '' } }],
    ['is no token', { a: { type: 'string', 'x-mcp-header': 'A B' } }],
    ['has a line feed', { a: { type: 'string', 'x-mcp-header': 'A\nB: c' } }],
    ['is on a number', { a: { type: 'number', 'x-mcp-header': 'A' } }],
    [
      'is there twice',
      { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    ],
  ])('are none of a tool whose annotation %s', (_, properties) => {
    expect(readParamHeaders(tool(properties))).toBeUndefined();
  });
});
