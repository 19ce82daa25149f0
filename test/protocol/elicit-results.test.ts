import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elicitResultFault } from '../../src/protocol/elicit-results.js';
import type { JsonObject } from '../../src/protocol/messages.js';

/** ElicitResult of the revision, with `number` where the JSON schema narrows schema.ts to integers. */
const SCHEMA = {
  type: 'object',
  required: ['action'],
  properties: {
    action: { enum: ['accept', 'cancel', 'decline'] },
    content: {
      type: 'object',
      additionalProperties: {
        anyOf: [{ type: 'array', items: { type: 'string' } }, { type: ['string', 'number', 'boolean'] }],
      },
    },
  },
};

const value = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.string(), fc.array(fc.string()));
const result = fc.record(
  {
    action: fc.oneof(fc.constantFrom('accept', 'Accept', 'other'), fc.jsonValue({ maxDepth: 0 })),
    content: fc.oneof(fc.dictionary(fc.string(), value), fc.jsonValue({ maxDepth: 1 })),
    _meta: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: ['action'] },
);

describe('elicitResultFault', () => {
  const conforms = new Ajv2020({ strict: false }).compile(SCHEMA);

  it('agrees with the schema on every accepted and every malformed result', () => {
    fc.assert(
      fc.property(result, (candidate) => {
        const read = JSON.parse(JSON.stringify(candidate)) as JsonObject;
        expect(elicitResultFault(read) === undefined).toBe(conforms(read));
      }),
    );
  });

  it('leaves the content of a refusal to the server', () => {
    expect(elicitResultFault({ action: 'decline', content: 5 })).toBeUndefined();
    expect(elicitResultFault({ action: 'cancel', content: { a: {} } })).toBeUndefined();
  });
});
