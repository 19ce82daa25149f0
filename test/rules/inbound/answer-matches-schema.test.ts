import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { answerMatchesSchema } from '../../../src/rules/inbound/answer-matches-schema.js';
import { judges, PEER_VALUE } from '../cases.js';
import { form, retry, URL_REQUEST, unsealed } from './answers.js';

const CONTENT = '/params/inputResponses/ask/content';
const AT = `${CONTENT}/f`;
const accepts = (properties: JsonObject, content: JsonObject, required: readonly string[] = []) =>
  retry({ ask: form(properties, required) }, { ask: { action: 'accept', content } });
const field = (schema: JsonObject, value: JsonValue) => accepts({ f: schema }, { f: value });
const PICK = { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b', 'c'] } };
const TITLED = { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } };
const ONE_OF = {
  type: 'string',
  oneOf: [
    { const: 'a', title: 'A' },
    { const: 'b', title: 'B' },
  ],
};

judges(answerMatchesSchema, {
  refuses: [
    ['content without a required field', accepts({ f: { type: 'string' } }, { g: 1 }, ['f']), CONTENT],
    [
      'no content where a field is required',
      retry({ ask: form({}, ['f']) }, { ask: { action: 'accept' } }),
      CONTENT,
    ],
    ['a required field that only a prototype has', accepts({}, {}, ['toString']), CONTENT],
    ['a number for a string', field({ type: 'string' }, 1), AT],
    ['a string for a number', field({ type: 'number' }, PEER_VALUE), AT],
    ['a fraction for an integer', field({ type: 'integer' }, 1.5), AT],
    ['a number for a boolean', field({ type: 'boolean' }, 1), AT],
    ['a string for a list', field(PICK, 'a'), AT],
    ['null', field({ type: 'string' }, null), AT],
    ['too small a number', field({ type: 'integer', minimum: 1 }, 0), AT],
    ['too large a number', field({ type: 'number', maximum: 1 }, 1.01), AT],
    ['too short a string', field({ type: 'string', minLength: 2 }, '\u{1f600}'), AT],
    ['too long a string', field({ type: 'string', maxLength: 3 }, PEER_VALUE), AT],
    ['none of the options', field({ type: 'string', enum: ['a'] }, PEER_VALUE), AT],
    ['none of the titled options', field(ONE_OF, 'A'), AT],
    ['too few choices', field(PICK, []), AT],
    ['too many choices', field(PICK, ['a', 'b', 'c']), AT],
    ['a choice that is not offered', field(PICK, ['a', PEER_VALUE]), AT],
    ['a titled choice that is not offered', field(TITLED, ['b']), AT],
    ['no address', field({ type: 'string', format: 'email' }, PEER_VALUE), AT],
    ['no URI', field({ type: 'string', format: 'uri' }, 'example.com'), AT],
    ['no date', field({ type: 'string', format: 'date' }, '2026-02-29'), AT],
    ['no time', field({ type: 'string', format: 'date-time' }, '2026-02-28T10:00:00'), AT],
    ['a field in another letter case', accepts({ f: { type: 'integer', maximum: 9 } }, { f: 1, F: 99 }), AT],
    [
      'a field whose letters fold to those asked for',
      accepts({ s: { type: 'integer' } }, { ſ: 'x' }),
      `${CONTENT}/s`,
    ],
    [
      'a field in another spelling',
      accepts({ maxSeats: { type: 'integer', maximum: 9 } }, { max_seats: 99 }),
      `${CONTENT}/maxSeats`,
    ],
    [
      'a required field in another letter case alone',
      accepts({ f: { type: 'string' } }, { F: 'x' }, ['f']),
      CONTENT,
    ],
    [
      'an answer under a key in another letter case',
      retry(
        { ask: form({ f: { type: 'integer' } }) },
        { ask: { action: 'accept', content: { f: 1 } }, Ask: { action: 'accept', content: { f: 'x' } } },
      ),
      AT,
    ],
    [
      'content that is a list',
      retry({ ask: form({}) }, { ask: { action: 'accept', content: ['x'] } }),
      CONTENT,
    ],
    [
      'a field named like a prototype member',
      accepts(
        JSON.parse('{"__proto__":{"type":"integer"}}') as JsonObject,
        JSON.parse('{"__proto__":"x"}') as JsonObject,
      ),
      `${CONTENT}/__proto__`,
    ],
  ],
  passes: [
    [
      'content that matches',
      accepts({ f: { type: 'string' }, n: { type: 'integer' } }, { f: 'x', n: 1.0 }, ['f']),
    ],
    [
      'fields that differ in letter case alone, each in its bounds',
      accepts({ f: { type: 'integer', maximum: 1 }, F: { type: 'integer', minimum: 5 } }, { f: 1, F: 9 }),
    ],
    ['a field in another letter case that matches', accepts({ f: { type: 'integer' } }, { f: 1, F: 2 })],
    ['fields that were not asked for', accepts({ f: { type: 'string' } }, { g: 1, h: ['x'] })],
    [
      'no content where nothing is required',
      retry({ ask: form({ f: { type: 'string' } }) }, { ask: { action: 'accept' } }),
    ],
    [
      'a refusal, whatever it carries',
      retry(
        { ask: form({ f: { type: 'string' } }, ['f']) },
        { ask: { action: 'decline', content: { f: 1 } } },
      ),
    ],
    [
      'bounds that are just met',
      accepts(
        { f: { type: 'integer', minimum: 1, maximum: 1 }, g: { type: 'string', minLength: 1, maxLength: 1 } },
        { f: 1, g: '\u{1f600}' },
      ),
    ],
    ['a titled option', field(ONE_OF, 'b')],
    ['choices that are offered', field(PICK, ['c', 'a'])],
    ['a legacy option with names', field({ type: 'string', enum: ['a'], enumNames: ['A'] }, 'a')],
    ['an address', field({ type: 'string', format: 'email' }, 'ada@example.com')],
    ['a format that nobody knows', field({ type: 'string', format: 'hostname' }, '!')],
    ['a type that no form has', field({ type: 'object' }, 'x')],
    [
      'a schema that is no form',
      retry(
        { ask: { method: 'elicitation/create', params: { requestedSchema: 1 } } },
        { ask: { action: 'accept' } },
      ),
    ],
    ['an answer to a URL', retry({ ask: URL_REQUEST }, { ask: { action: 'accept' } })],
    ['an answer to nothing that was asked', retry({ ask: form({}, ['f']) }, { other: { action: 'accept' } })],
    ['no answer to what was asked', retry({ ask: form({}, ['f']) }, {})],
    ['an answer without a sealed state', unsealed({ ask: { action: 'accept', content: { f: 1 } } })],
  ],
});
