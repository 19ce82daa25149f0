/** What sealing adds to a retry and to an answer, in bytes and in time: `node --import tsx bench/seal.ts`. */
import type { SealPolicy } from '../src/engine/policy.js';
import { askedInputs } from '../src/protocol/asked.js';
import { readInputRequests } from '../src/protocol/input-requests.js';
import { isObject, readClientMessage, readServerMessage } from '../src/protocol/messages.js';
import { KeyRing } from '../src/seal/ring.js';
import { learnState } from '../src/seal/states.js';

const POLICY: SealPolicy = {
  ttlMs: 600_000,
  operationMs: 3_600_000,
  maxRounds: 1000,
  maxBytes: 1_048_576,
  always: false,
  singleUse: false,
  storeFailure: 'refuse',
};
const ring = KeyRing.ephemeral();

const field = (index: number) => [
  `field_${index}`,
  { type: 'string', title: `Field ${index}`, description: 'What to put here, at some length', maxLength: 80 },
];
const form = (fields: number) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Please fill this in',
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: fields }, (_, index) => field(index))),
      required: ['field_0'],
    },
  },
});

const CASES: readonly (readonly [name: string, stateBytes: number, fields: number, argumentBytes: number])[] =
  [
    ['a short state, one field', 32, 1, 40],
    ['1 KiB of state, eight fields', 1_024, 8, 400],
    ['64 KiB of state', 65_536, 1, 40],
    ['64 KiB of arguments', 32, 1, 65_536],
  ];

function request(id: number, argumentBytes: number, requestState?: string) {
  const params = {
    name: 'book',
    arguments: { seats: 2, notes: 'n'.repeat(argumentBytes) },
    ...(requestState !== undefined && { requestState, inputResponses: {} }),
  };
  const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const envelope: unknown = JSON.parse(text);
  const message = readClientMessage(envelope as never, () => String(id));
  return {
    route: 'mcp',
    policy: POLICY,
    message,
    text: () => text,
    principal: 'p'.repeat(22),
    now: Date.now(),
  };
}

function microseconds(run: () => unknown): number {
  for (let round = 0; round < 500; round += 1) run();
  const times = Array.from({ length: 7 }, () => {
    const began = performance.now();
    for (let round = 0; round < 500; round += 1) run();
    return ((performance.now() - began) * 1_000) / 500;
  });
  return Math.min(...times);
}

for (const [name, stateBytes, fields, argumentBytes] of CASES) {
  const inner = JSON.stringify('s'.repeat(stateBytes));
  const envelope = JSON.parse(
    JSON.stringify({ id: 1, result: { resultType: 'input_required', inputRequests: { ask: form(fields) } } }),
  ) as never;
  const answer = isObject(envelope) ? readServerMessage(envelope, () => '1') : undefined;
  const asked = readInputRequests(answer);
  const first = request(1, argumentBytes);
  const seal = () => learnState(ring, first).seal?.(inner, askedInputs(asked)) ?? '';
  const token = seal();
  const retry = request(2, argumentBytes, token);
  const opened = learnState(ring, retry).state?.verdict;
  if (opened !== 'accepted') throw new Error(`the token did not open: ${opened}`);
  const columns = [
    name.padEnd(30),
    `state ${String(inner.length).padStart(6)} B`,
    `token ${String(token.length).padStart(6)} B`,
    `seal ${microseconds(seal).toFixed(1).padStart(7)} µs`,
    `open ${microseconds(() => learnState(ring, retry))
      .toFixed(1)
      .padStart(7)} µs`,
  ];
  console.log(columns.join('  '));
}
