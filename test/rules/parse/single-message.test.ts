import type { ParseInput } from '../../../src/engine/exchange.js';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { singleMessage } from '../../../src/rules/parse/single-message.js';
import { judges, PEER_VALUE } from '../cases.js';
import { parseInput } from '../fixtures.js';

const REQUEST: JsonObject = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const NOTIFICATION: JsonObject = { jsonrpc: '2.0', method: 'notifications/x', params: {} };

const request = (members: JsonObject): ParseInput => parseInput({ ...REQUEST, ...members });
const nested = (levels: number): JsonValue => (levels === 0 ? 0 : [nested(levels - 1)]);
const without = (name: string): ParseInput =>
  parseInput(Object.fromEntries(Object.entries(REQUEST).filter(([member]) => member !== name)));

judges(singleMessage, {
  refuses: [
    ['a batch', parseInput([REQUEST, REQUEST]), ''],
    ['a batch of one', parseInput([REQUEST]), ''],
    ['an empty array', parseInput([]), ''],
    ['null', parseInput(null), ''],
    ['a number', parseInput(1), ''],
    ['a string', parseInput(PEER_VALUE), ''],
    ['an empty object', parseInput({}), '/jsonrpc'],
    ['a message without jsonrpc', without('jsonrpc'), '/jsonrpc'],
    ['JSON-RPC 1.0', request({ jsonrpc: '1.0' }), '/jsonrpc'],
    ['a jsonrpc that is a number', request({ jsonrpc: 2 }), '/jsonrpc'],
    ['a result response', parseInput({ jsonrpc: '2.0', id: 'srv-1', result: {} }), '/result'],
    ['an error response', parseInput({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } }), '/error'],
    ['a request that is a response too', request({ result: {} }), '/result'],
    ['a request without method', without('method'), '/method'],
    ['a method that is no string', request({ method: ['tools/list'] }), '/method'],
    ['a method of null', request({ method: null }), '/method'],
    ['a request without id', without('id'), '/id'],
    ['a null id', request({ id: null }), '/id'],
    ['a fractional id', request({ id: 1.5 }), '/id'],
    ['an id past every number', request({ id: Number.POSITIVE_INFINITY }), '/id'],
    ['a boolean id', request({ id: true }), '/id'],
    ['an object as id', request({ id: {} }), '/id'],
    ['an array as id', request({ id: [1] }), '/id'],
    ['a notification with an id', parseInput({ ...NOTIFICATION, id: 7 }), '/id'],
    ['a notification with a null id', parseInput({ ...NOTIFICATION, id: null }), '/id'],
    ['a notification whose params are a number', parseInput({ ...NOTIFICATION, params: 1.5 }), '/params'],
    ['a notification whose params are a list', parseInput({ ...NOTIFICATION, params: [] }), '/params'],
    ['nesting past the limit', request({ params: { arguments: nested(511) } }), ''],
    ['nesting too deep to be read', parseInput(REQUEST, { fault: 'too-deep', depth: 20_000 }), ''],
  ],
  passes: [
    ['a request', parseInput(REQUEST)],
    ['the id 0', request({ id: 0 })],
    ['a negative id', request({ id: -3 })],
    ['an id past 2^53', request({ id: 2 ** 60 })],
    ['a string id', request({ id: '1' })],
    ['an empty string as id', request({ id: '' })],
    ['a request without params', without('params')],
    ['a method called constructor', request({ method: 'constructor' })],
    ['an unknown method', request({ method: 'x/y' })],
    ['unknown members', request({ extra: true })],
    ['a notification', parseInput(NOTIFICATION)],
    ['a notification whose params are null', parseInput({ ...NOTIFICATION, params: null })],
    ['a notification without params', parseInput({ jsonrpc: '2.0', method: 'notifications/x' })],
    ['nesting at the limit', request({ params: { arguments: nested(510) } })],
  ],
});
