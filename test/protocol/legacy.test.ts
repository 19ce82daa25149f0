import { describe, expect, it } from 'vitest';
import { HeaderFields } from '../../src/protocol/headers.js';
import { declaredVersion, isLegacy, isLegacyHead } from '../../src/protocol/legacy.js';
import { type JsonValue, readClientMessage } from '../../src/protocol/messages.js';

const legacy = (meta: JsonValue, ...fields: string[]): boolean =>
  isLegacy(
    readClientMessage({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }, () => '1'),
    new HeaderFields(fields),
  );

describe('isLegacy', () => {
  it.each([
    ['nothing of the modern era', legacy({})],
    ['a progress token', legacy({ progressToken: 1 })],
    [
      'keys of others',
      legacy({ 'com.example/io.modelcontextprotocol/': 1, 'io.modelcontextprotocolx/a': 1 }),
    ],
    ['a _meta that is no object', legacy('io.modelcontextprotocol/x')],
    ['the version header of an earlier revision', legacy({}, 'MCP-Protocol-Version', '2025-06-18')],
    ['a session', legacy({}, 'Mcp-Session-Id', 's')],
  ])('holds for a message with %s', (_title, held) => {
    expect(held).toBe(true);
  });

  it.each([
    ['a modern key in _meta', legacy({ 'io.modelcontextprotocol/clientInfo': null })],
    ['any key of the protocol in _meta', legacy({ 'io.modelcontextprotocol/x': 1 })],
    ['the version header of this revision', legacy({}, 'MCP-Protocol-Version', '2026-07-28')],
    ['the version header of no known revision', legacy({}, 'MCP-Protocol-Version', '2099-01-01')],
    ['an empty version header', legacy({}, 'MCP-Protocol-Version', '')],
    [
      'two version headers',
      legacy({}, 'MCP-Protocol-Version', '2025-06-18', 'MCP-Protocol-Version', '2025-06-18'),
    ],
    ['a method header', legacy({}, 'Mcp-Method', 'tools/list')],
    ['a name header', legacy({}, 'mcp-name', 'x')],
    ['a parameter header', legacy({}, 'MCP-PARAM-Region', 'eu')],
  ])('does not hold for a message with %s', (_title, held) => {
    expect(held).toBe(false);
  });
});

describe('isLegacyHead', () => {
  it('judges a request without a message by its headers alone', () => {
    expect(isLegacyHead(new HeaderFields(['Accept', 'text/event-stream', 'Mcp-Session-Id', 's']))).toBe(true);
    expect(isLegacyHead(new HeaderFields(['MCP-Protocol-Version', '2026-07-28']))).toBe(false);
  });
});

describe('declaredVersion', () => {
  it.each([
    [{ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }, '2026-07-28'],
    [{ 'io.modelcontextprotocol/protocolVersion': '' }, undefined],
    [{ 'io.modelcontextprotocol/protocolVersion': 5 }, undefined],
    [{}, undefined],
  ])('reads %j', (meta, expected) => {
    expect(declaredVersion(meta)).toBe(expected);
  });
});
