import { answerMatchesMode } from '../../../src/rules/inbound/answer-matches-mode.js';
import { judges, PEER_VALUE } from '../cases.js';
import { form, retry, URL_REQUEST, unsealed } from './answers.js';

const AT = '/params/inputResponses/ask/content';
const url = (answer: object) => retry({ ask: URL_REQUEST }, { ask: answer } as never);

judges(answerMatchesMode, {
  refuses: [
    ['content in the acceptance of a URL', url({ action: 'accept', content: { key: PEER_VALUE } }), AT],
    ['content in the refusal of a URL', url({ action: 'decline', content: { key: PEER_VALUE } }), AT],
    ['content that is no object', url({ action: 'cancel', content: PEER_VALUE }), AT],
  ],
  passes: [
    ['the acceptance of a URL', url({ action: 'accept' })],
    ['content with nothing in it', url({ action: 'accept', content: {} })],
    [
      'content in the acceptance of a form',
      retry({ ask: form({}) }, { ask: { action: 'accept', content: { a: 1 } } }),
    ],
    [
      'content in an answer to nothing that was asked',
      retry({ ask: URL_REQUEST }, { other: { content: { a: 1 } } }),
    ],
    ['content without a sealed state', unsealed({ ask: { action: 'accept', content: { a: 1 } } })],
  ],
});
