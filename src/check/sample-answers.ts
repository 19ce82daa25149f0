/** Answers that an audit gives: whatever fits what was asked, and says nothing. */
import { defaultsOf, type Field, readFields } from '../client/fields.js';
import { METHOD_ROOTS, METHOD_SAMPLE } from '../protocol/constants.js';
import { elicitationMode } from '../protocol/elicitations.js';
import type { InputRequest } from '../protocol/input-requests.js';
import type { JsonObject, JsonValue } from '../protocol/messages.js';

export type Action = 'accept' | 'decline' | 'cancel';

const TEXTS = ['check', 'check@example.com', 'https://example.com/', '2026-07-28', '2026-07-28T00:00:00Z'];
const NUMBERS = [1, 0, 10, 100, 1_000];
const LONGEST = 10_000;

/** `inputResponses` for everything that was asked. Only elicitations can be declined. */
export function sampleAnswers(asked: readonly InputRequest[], action: Action): JsonObject {
  return Object.fromEntries(asked.map((request) => [request.key, answerTo(request, action)]));
}

function answerTo(request: InputRequest, action: Action): JsonObject {
  if (request.method === METHOD_SAMPLE)
    return {
      role: 'assistant',
      content: { type: 'text', text: 'check' },
      model: 'mrtr-gateway-check',
      stopReason: 'endTurn',
    };
  if (request.method === METHOD_ROOTS) return { roots: [] };
  if (action !== 'accept' || elicitationMode(request) === 'url') return { action };
  const fields = readFields(request);
  const content = Object.fromEntries(fields.map((field) => [field.name, sampleValue(field)]));
  return { action, content: { ...content, ...defaultsOf(fields) } };
}

/** The first value that the field takes; where none does, text. */
function sampleValue(field: Field): JsonValue {
  return candidates(field).find((value) => field.fault(value) === undefined) ?? 'check';
}

function candidates({ type, options, bounds }: Field): readonly JsonValue[] {
  switch (type) {
    case 'boolean':
      return [true];
    case 'number':
    case 'integer':
      return [...NUMBERS, ...numbersIn(bounds)];
    case 'choice':
      return options.map(({ value }) => value);
    case 'choices':
      return options.map((_, index) => options.slice(0, index + 1).map(({ value }) => value));
    default:
      return [
        ...TEXTS,
        ...numbersIn(bounds).map((length) => 'c'.repeat(Math.min(Math.max(length, 0), LONGEST))),
      ];
  }
}

function numbersIn(bounds: readonly string[]): readonly number[] {
  return bounds.flatMap((bound) => (/-?\d+(\.\d+)?/.exec(bound) ?? []).slice(0, 1)).map(Number);
}
