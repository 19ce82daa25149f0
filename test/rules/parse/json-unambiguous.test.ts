import { jsonUnambiguous } from '../../../src/rules/parse/json-unambiguous.js';
import { judges } from '../cases.js';
import { parseInput } from '../fixtures.js';

judges(jsonUnambiguous, {
  refuses: [
    ['an empty body', parseInput(undefined, { fault: 'empty' }), ''],
    ['bytes that are not UTF-8', parseInput(undefined, { fault: 'not-utf8' }), ''],
    ['a byte order mark', parseInput(undefined, { fault: 'bom' }), ''],
    ['a body that is not JSON', parseInput(undefined, { fault: 'not-json' }), ''],
    [
      'a duplicate member',
      parseInput({ params: {} }, { fault: 'duplicate-member', at: '/params/name' }),
      '/params/name',
    ],
    [
      'a variant spelling',
      parseInput({ Method: 'x' }, { fault: 'variant-member', at: '/Method' }),
      '/Method',
    ],
  ],
  passes: [
    ['one JSON value', parseInput({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
    [
      'members that other languages reserve',
      parseInput(JSON.parse('{"__proto__":{},"constructor":1,"prototype":2}')),
    ],
    ['deep nesting, which is judged by the next rule', parseInput(undefined, { fault: 'too-deep' })],
    [
      'a body over the limit, which is judged by the rule before',
      parseInput(undefined, { fault: 'too-large' }),
    ],
  ],
});
