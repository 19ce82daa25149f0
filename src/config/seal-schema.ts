import { z } from 'zod';
import { redisUrlFault, sealKeyFault } from './formats.js';
import { noted, text, unsetText } from './values.js';

const DAY_SECONDS = 86_400;

/** What a route can set otherwise for itself. */
const perRoute = {
  ttlSeconds: z.int().min(1).max(DAY_SECONDS).describe('How long a sealed state is good for.'),
  operationSeconds: z
    .int()
    .min(1)
    .max(30 * DAY_SECONDS)
    .describe('How long after its first state the states of one operation are good, however often it asks.'),
  maxRounds: z.int().min(1).max(1_000_000).describe('Most rounds of one operation.'),
  maxBytes: z
    .int()
    .min(1024)
    .max(67_108_864)
    .describe(
      'Most bytes of the server’s own state and of what it asks for, together, that a state is sealed of.',
    ),
  always: z
    .boolean()
    .describe('A result that asks for input without a state gets one, so that its answers are judged too.'),
  singleUse: z.boolean().describe('A sealed state opens once.'),
  storeFailure: z
    .enum(['refuse', 'allow'])
    .describe('What becomes of a retry when it cannot be found out whether its state was used.'),
};

const STANDARD = {
  ttlSeconds: 600,
  operationSeconds: 3_600,
  maxRounds: 1_000,
  maxBytes: 131_072,
  always: false,
  singleUse: false,
  storeFailure: 'refuse',
} as const;

export const seal = z.strictObject({
  keys: z
    .array(noted(text(sealKeyFault), { file: true, secret: true }))
    .default([])
    .describe(
      '256-bit keys as `mrtr-gateway keygen` prints them: the first seals, each opens. A key from a file that is changed counts at once.',
    ),
  ephemeral: z
    .boolean()
    .default(false)
    .describe(
      'Without keys: seal with a key of the process’s own. States are lost with it and open nowhere else.',
    ),
  redis: noted(
    unsetText(redisUrlFault).describe(
      'Redis or Valkey that remembers used states for all gateways (redis:// or rediss://); unset, each process remembers its own.',
    ),
    { file: true, secret: true },
  ),
  ttlSeconds: perRoute.ttlSeconds.default(STANDARD.ttlSeconds),
  operationSeconds: perRoute.operationSeconds.default(STANDARD.operationSeconds),
  maxRounds: perRoute.maxRounds.default(STANDARD.maxRounds),
  maxBytes: perRoute.maxBytes.default(STANDARD.maxBytes),
  always: perRoute.always.default(STANDARD.always),
  singleUse: perRoute.singleUse.default(STANDARD.singleUse),
  storeFailure: perRoute.storeFailure.default(STANDARD.storeFailure),
});

const asAbove = <T extends z.ZodType>(schema: T) =>
  noted(schema.optional().describe(schema.description ?? ''), { derived: 'as in `seal`' });

export const routeSeal = z.strictObject({
  ttlSeconds: asAbove(perRoute.ttlSeconds),
  operationSeconds: asAbove(perRoute.operationSeconds),
  maxRounds: asAbove(perRoute.maxRounds),
  maxBytes: asAbove(perRoute.maxBytes),
  always: asAbove(perRoute.always),
  singleUse: asAbove(perRoute.singleUse),
  storeFailure: asAbove(perRoute.storeFailure),
});

export type RouteSealConfig = z.output<typeof routeSeal>;
export type SealConfig = z.output<typeof seal>;
