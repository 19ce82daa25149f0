import { requestStateWithinLimit } from '../../../src/rules/outbound/request-state-within-limit.js';
import { judges, PEER_VALUE } from '../cases.js';
import { exchange, outbound, policy, sealPolicy } from '../fixtures.js';

const AT = '/result/requestState';
/** An answer on a route that seals up to 1000 bytes. */
const sealing = (result: object, always = false, requestState: 'seal' | 'relay' = 'seal') =>
  outbound({
    exchange: exchange({
      policy: policy({
        requestState,
        ...(requestState === 'seal' && { seal: sealPolicy({ maxBytes: 1000, always }) }),
      }),
    }),
    result: { resultType: 'input_required', ...result } as never,
  });
const long = PEER_VALUE.padEnd(998, 'x');
const asks = (options: number) => ({
  inputRequests: {
    ask: {
      method: 'elicitation/create',
      params: {
        message: 'x'.repeat(5000),
        requestedSchema: {
          type: 'object',
          properties: {
            f: {
              type: 'string',
              description: 'x'.repeat(5000),
              enum: Array.from({ length: options }, (_, index) => `option ${index}`),
            },
          },
        },
      },
    },
  },
});

judges(requestStateWithinLimit, {
  refuses: [
    ['a state over the limit', sealing({ requestState: long }), AT],
    ['a state whose escapes take it over the limit', sealing({ requestState: '\n'.repeat(600) }), AT],
    ['a state of many-byte characters', sealing({ requestState: '€'.repeat(400) }), AT],
    [
      'a form that answers cannot be held against within the limit',
      sealing({ requestState: 's', ...asks(100) }),
      AT,
    ],
    ['such a form without a state, where every question gets a token', sealing(asks(100), true), AT],
  ],
  passes: [
    ['a state within the limit', sealing({ requestState: 'x'.repeat(900) })],
    ['texts of a form, which are not kept', sealing({ requestState: 's', ...asks(3) })],
    ['a long state where states are relayed', sealing({ requestState: long }, false, 'relay')],
    ['a long form without a state', sealing(asks(100))],
    ['a long state in a complete result', sealing({ resultType: 'complete', requestState: long })],
  ],
});
