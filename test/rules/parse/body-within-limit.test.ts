import { bodyWithinLimit } from '../../../src/rules/parse/body-within-limit.js';
import { judges } from '../cases.js';
import { parseInput } from '../fixtures.js';

judges(bodyWithinLimit, {
  refuses: [['a body over the limit', parseInput(undefined, { fault: 'too-large' }), '']],
  passes: [
    ['a body within the limit', parseInput({ jsonrpc: '2.0' })],
    ['a body that later rules refuse', parseInput(undefined, { fault: 'empty' })],
  ],
});
