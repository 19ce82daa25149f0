import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSchemaFault } from '../../src/protocol/answers.js';
import { askedInputs } from '../../src/protocol/asked.js';
import { readInputRequests } from '../../src/protocol/input-requests.js';
import type { JsonObject, JsonValue } from '../../src/protocol/messages.js';
import { inputRequired } from '../rules/fixtures.js';

/** ajv judges by the whole schema as the server wrote it, the gateway by what it has kept of it. */
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  ownProperties: true,
});

const word = fc.constantFrom('a', 'b', 'ab', '', '\u{1f600}', 'toString');
/** ajv takes an empty name in `required` for none. */
const name = fc.constantFrom('a', 'b', 'ab', 'toString', '\u{1f600}');
const bound = fc.option(fc.integer({ min: -1, max: 3 }), { nil: undefined });
const labels = {
  title: fc.option(word, { nil: undefined }),
  description: fc.option(word, { nil: undefined }),
};
const titled = fc.array(word).map((words) => words.map((text) => ({ const: text, title: `The ${text}` })));
const length = fc.option(fc.nat(3), { nil: undefined });

const field = fc.oneof(
  fc.record({ type: fc.constant('string'), ...labels, minLength: length, maxLength: length }),
  fc.record({ type: fc.constantFrom('number', 'integer'), ...labels, minimum: bound, maximum: bound }),
  fc.record({ type: fc.constant('boolean'), ...labels }),
  fc.record({ type: fc.constant('string'), ...labels, enum: fc.array(word) }),
  fc.record({ type: fc.constant('string'), ...labels, oneOf: fc.uniqueArray(word).map(titledOf) }),
  fc.record({
    type: fc.constant('array'),
    ...labels,
    minItems: length,
    maxItems: length,
    items: fc.oneof(
      fc.record({ type: fc.constant('string'), enum: fc.array(word) }),
      fc.record({ anyOf: titled }),
    ),
  }),
);
const schema = fc
  .record({
    type: fc.constant('object'),
    properties: fc.dictionary(name, field, { maxKeys: 3 }),
    required: fc.option(fc.array(name, { maxLength: 2 }), { nil: undefined }),
  })
  .map((form) => JSON.parse(JSON.stringify(form)) as JsonObject);
const value = fc.oneof(
  word,
  fc.constantFrom(0, 1, 2, 1.5, -1, 1e30),
  fc.boolean(),
  fc.constant(null),
  fc.array(word, { maxLength: 3 }),
);
const content = fc
  .dictionary(name, value, { maxKeys: 4 })
  .map((fields) => JSON.parse(JSON.stringify(fields)) as JsonObject);

function titledOf(words: readonly string[]) {
  return words.map((text) => ({ const: text, title: text }));
}

function passes(requestedSchema: JsonObject, answered: JsonValue): boolean {
  const message = inputRequired({
    ask: { method: 'elicitation/create', params: { requestedSchema } },
  }).message;
  const [asked] = askedInputs(readInputRequests(message));
  if (asked === undefined) throw new Error('a form that nothing is kept of');
  // As it comes back out of a token.
  const kept = JSON.parse(JSON.stringify(asked)) as typeof asked;
  return findSchemaFault(kept, { action: 'accept', content: answered }) === undefined;
}

/** An empty list of options is not valid JSON Schema for ajv; nothing is one of no options. */
function withoutEmptyLists(form: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(form).replaceAll(/"(enum|oneOf|anyOf)":\[\]/g, '"not":{}')) as JsonObject;
}

describe('accepted content', () => {
  it('passes exactly when the requested schema as a whole would let it', () => {
    let [agreedToPass, agreedToRefuse] = [0, 0];
    fc.assert(
      fc.property(schema, content, (form, answered) => {
        const expected = ajv.compile(withoutEmptyLists(form))(answered);
        expect(passes(form, answered)).toBe(expected);
        if (expected) agreedToPass += 1;
        else agreedToRefuse += 1;
      }),
      { numRuns: 500 },
    );
    expect(Math.min(agreedToPass, agreedToRefuse)).toBeGreaterThan(30);
  });
});
