import { answerMatchesKind } from '../../../src/rules/inbound/answer-matches-kind.js';
import { judges, PEER_VALUE } from '../cases.js';
import { form, retry, URL_REQUEST, unsealed } from './answers.js';

const SAMPLING = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
const ROOTS = { method: 'roots/list' };
const MESSAGE = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' };
const AT = '/params/inputResponses/a~1b';
const asked = (request: object, answer: object) =>
  retry({ 'a/b': request } as never, { 'a/b': answer } as never);

judges(answerMatchesKind, {
  refuses: [
    ['a message in answer to a form', asked(form({}), MESSAGE), AT],
    ['a message in answer to a URL', asked(URL_REQUEST, MESSAGE), AT],
    ['roots in answer to a form', asked(form({}), { roots: [] }), AT],
    ['nothing in answer to a form', asked(form({}), {}), AT],
    ['an action in answer to sampling', asked(SAMPLING, { action: 'accept' }), AT],
    ['roots in answer to sampling', asked(SAMPLING, { roots: [] }), AT],
    ['a message without its model', asked(SAMPLING, { role: 'assistant', content: PEER_VALUE }), AT],
    ['an action in answer to roots', asked(ROOTS, { action: 'decline' }), AT],
    ['roots that are no array', asked(ROOTS, { roots: { [PEER_VALUE]: 1 } }), AT],
    ['text in answer to a form', retry({ 'a/b': form({}) }, { 'a/b': PEER_VALUE }), AT],
    ['roots under a key in another letter case', retry({ 'a/b': form({}) }, { 'A/b': { roots: [] } }), AT],
    [
      'the second of two answers',
      retry({ one: form({}), two: ROOTS }, { one: { action: 'accept' }, two: {} }),
      '/params/inputResponses/two',
    ],
  ],
  passes: [
    ['an action in answer to a form', asked(form({}), { action: 'cancel' })],
    ['an action in answer to a URL', asked(URL_REQUEST, { action: 'accept' })],
    ['a message in answer to sampling', asked(SAMPLING, { ...MESSAGE, stopReason: 'endTurn' })],
    ['roots in answer to roots', asked(ROOTS, { roots: [{ uri: 'file:///a' }] })],
    ['an answer to nothing that was asked', retry({ one: ROOTS }, { other: {}, __proto__: {} })],
    ['no answer to what was asked', retry({ one: ROOTS }, {})],
    ['an answer to a kind that nobody knows', asked({ method: 'other/kind' }, {})],
    ['an answer without a sealed state', unsealed({ one: {} })],
  ],
});
