import type { Exchange } from '../../../src/engine/exchange.js';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { inputResponsesShape } from '../../../src/rules/inbound/input-responses-shape.js';
import { judges, PEER_VALUE } from '../cases.js';
import { exchange, policy } from '../fixtures.js';

const AT = '/params/inputResponses';

const retry = (inputResponses: JsonValue): Exchange => exchange({ params: { name: 'book', inputResponses } });
const answer = (response: JsonValue): Exchange => retry({ q1: response });
const accepted = (content: JsonValue): Exchange => answer({ action: 'accept', content });
const on = (method: string, inputResponses: JsonValue = {}): Exchange =>
  exchange({ method, params: { inputResponses } });

judges(inputResponsesShape, {
  refuses: [
    ['answers on tools/list', on('tools/list'), AT],
    ['answers on server/discover', on('server/discover'), AT],
    ['answers on tasks/get', on('tasks/get'), AT],
    ['answers on completion/complete, even null', on('completion/complete', null), AT],
    ['answers on a notification', on('notifications/x'), AT],
    ['answers of null', retry(null), AT],
    ['answers that are an array', retry([{ action: 'accept' }]), AT],
    ['answers that are a string', retry(PEER_VALUE), AT],
    ['an entry of null', answer(null), `${AT}/q1`],
    ['an entry that is a string', answer(PEER_VALUE), `${AT}/q1`],
    ['an entry that is an array', answer([]), `${AT}/q1`],
    ['a fault behind a good entry', retry({ a: { action: 'decline' }, 'b/~': 1 }), `${AT}/b~1~0`],
    ['another action', answer({ action: PEER_VALUE }), `${AT}/q1/action`],
    ['an action of other case', answer({ action: 'Accept' }), `${AT}/q1/action`],
    ['an action of white space', answer({ action: 'accept ' }), `${AT}/q1/action`],
    ['an action of null', answer({ action: null }), `${AT}/q1/action`],
    ['an action that is an array', answer({ action: ['accept'] }), `${AT}/q1/action`],
    ['content of null', accepted(null), `${AT}/q1/content`],
    ['content that is an array', accepted(['Lyon']), `${AT}/q1/content`],
    ['content that is a string', accepted(PEER_VALUE), `${AT}/q1/content`],
    ['a nested object', accepted({ city: { name: PEER_VALUE } }), `${AT}/q1/content/city`],
    ['a null value', accepted({ city: null }), `${AT}/q1/content/city`],
    ['an array of numbers', accepted({ city: [1] }), `${AT}/q1/content/city`],
    ['an array with one odd item', accepted({ city: ['a', null] }), `${AT}/q1/content/city`],
    [
      'a nested object under __proto__',
      accepted(JSON.parse('{"__proto__":{}}')),
      `${AT}/q1/content/__proto__`,
    ],
    [
      'a malformed answer of the legacy era',
      exchange({
        params: { inputResponses: 1 },
        meta: null,
        legacy: true,
        policy: policy({ legacy: 'pass' }),
      }),
      AT,
    ],
  ],
  passes: [
    ['a request without answers', exchange()],
    ['an empty map', retry({})],
    ['an accepted answer', accepted({ city: 'Lyon' })],
    [
      'an answer without resultType beside an unasked one',
      retry({ q1: { action: 'accept', content: { city: 'Lyon' } }, extra: { action: 'decline' } }),
    ],
    [
      'every kind of value',
      accepted({ s: '', n: 1.5, i: -3, t: true, f: false, many: ['a', 'b'], none: [] }),
    ],
    ['accepted content without members', accepted({})],
    ['an accepted URL elicitation, which has no content', answer({ action: 'accept' })],
    ['a decline', answer({ action: 'decline' })],
    ['a cancel', answer({ action: 'cancel' })],
    ['content of a decline, whatever it is', answer({ action: 'decline', content: null })],
    [
      'members that no revision knows',
      answer({ action: 'accept', content: {}, resultType: 'complete', _meta: {}, x: [] }),
    ],
    [
      'a sampling result',
      answer({ role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' }),
    ],
    ['a roots result', answer({ roots: [{ uri: 'file:///a' }] })],
    ['an entry that is nothing known', answer({})],
    [
      'keys that other languages reserve',
      retry(JSON.parse('{"__proto__":{"action":"cancel"},"constructor":{}}')),
    ],
    ['answers on prompts/get', on('prompts/get', { q: { action: 'cancel' } })],
    ['answers on resources/read', on('resources/read', { q: { action: 'cancel' } })],
    ['answers on tasks/update', on('tasks/update', { q: { action: 'cancel' } })],
    ['the name among arguments', exchange({ params: { name: 'book', arguments: { inputResponses: 1 } } })],
  ],
});
