/** Turns what the schema finds into problems: own sentences, no values, the nearest name for a misspelt one. */
import type { z } from 'zod';
import { ADMIT, PARSE } from '../rules/index.js';
import { pathText } from './key-path.js';
import { shapeAt } from './keys.js';
import type { Problem } from './loaded.js';
import { suggestion } from './nearest.js';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const EXPECTED: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

/** The message of an issue. Undefined leaves the schema's own. */
export function sentenceOf(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `expected ${EXPECTED.get(issue.expected) ?? issue.expected}`;
    case 'invalid_value': {
      const choices = issue.values.map(String);
      const meant = typeof issue.input === 'string' ? suggestion(issue.input, choices) : '';
      return `expected ${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}${meant}`;
    }
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'must not be empty'
        : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not a valid name';
    default:
      return issue.message ?? 'is not valid';
  }
}

export function problemsOf(issues: readonly z.core.$ZodIssue[]): readonly Problem[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return { path: pathText(issue.path), message: issue.message };
    return issue.keys.map((key) => unknownKey(issue.path, key));
  });
}

function unknownKey(path: readonly PropertyKey[], key: string): Problem {
  const full = pathText([...path, key]);
  const fixed = path.at(-1) === 'rules' ? [...ADMIT, ...PARSE].find(({ id }) => id === key) : undefined;
  if (fixed !== undefined) {
    const reason = fixed.locked === undefined ? '' : `: ${fixed.locked}`;
    return { path: full, message: `this rule cannot be configured${reason}` };
  }
  const known = Object.keys(shapeAt(path)?.properties ?? {});
  return { path: full, message: `unknown key \`${full}\`${suggestion(key, known)}` };
}
