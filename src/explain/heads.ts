/** Rules of admit and parse. */
import { HEADER_NAME } from '../protocol/constants.js';
import type { Explanations } from './example.js';

const CALL_BODY =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_log","arguments":{}}}';

export const HEADS: Explanations = {
  'origin-allowed': {
    why: 'A web page may send requests to any address that its visitor can reach, loopback among them, and by DNS rebinding also under a name of its own. Only Origin and Host tell such a request from one of a real client.',
    bad: {
      says: 'a page of another site calls a tool',
      request: { headers: { Origin: 'https://evil.example' } },
    },
    good: { says: 'a client that is no browser sends no Origin' },
    tune: [
      ["allowedOrigins: ['https://app.example.com']", 'lets the pages of one more origin in'],
      ["allowedHosts: ['mcp.internal']", 'names one more host that clients may use'],
      ['publicUrl: https://mcp.example.com', 'says how clients see the gateway: both of the above'],
    ],
  },
  'content-type-json': {
    why: 'A server that reads another charset or undoes a coding would act on text that nobody judged. A form of a foreign page can send text/plain without asking first, and cannot send application/json.',
    bad: { says: 'a message as plain text', request: { headers: { 'Content-Type': 'text/plain' } } },
    good: {
      says: 'a message as JSON in UTF-8',
      request: { headers: { 'Content-Type': 'application/json; charset=utf-8' } },
    },
  },
  'connection-names-none': {
    why: 'A proxy drops every field that Connection names. A client could thereby have Mcp-Name judged here and taken away before it reaches the server.',
    bad: {
      says: 'the field that routes the call is to be dropped',
      request: { headers: { Connection: HEADER_NAME } },
    },
    good: { says: 'a field of the connection alone', request: { headers: { Connection: 'keep-alive' } } },
  },
  'body-within-limit': {
    why: 'A body is held in memory until it is judged, so that one without a bound could take all of it.',
    config: { limits: { requestBytes: 1_024 } },
    bad: {
      says: 'a body longer than limits.requestBytes, which is 1024 in this example',
      request: { body: `${CALL_BODY.slice(0, -3)}"note":"${'x'.repeat(1_000)}"}}}` },
    },
    good: { says: 'a body that is short enough' },
    tune: [['limits: { requestBytes: 8388608 }', 'lets larger bodies in']],
  },
  'json-unambiguous': {
    why: 'Of two members of one name some parsers keep the first and some the last, and some compare names without case. Whoever knows which one the server uses could have one tool judged and another one called.',
    bad: {
      says: 'a body that names two tools',
      request: { body: CALL_BODY.replace('"name":"read_log"', '"name":"read_log","name":"erase_log"') },
    },
    good: { says: 'each name once' },
  },
  'single-message': {
    why: 'The rules judge one request or notification and the answer to it. A batch has several, a response has no place in this transport, and an error about a null id reaches nobody.',
    bad: { says: 'a batch', request: { body: `[${CALL_BODY}]` } },
    good: { says: 'one request' },
  },
};
