import type { Rule } from '../../engine/rule.js';
import { FAULT_WORDS, type ReadFault } from '../../protocol/reading.js';

const FAULTS: ReadonlySet<ReadFault> = new Set([
  'not-utf8',
  'bom',
  'empty',
  'not-json',
  'duplicate-member',
  'variant-member',
]);

export const jsonUnambiguous: Rule<'parse'> = {
  id: 'json-unambiguous',
  stage: 'parse',
  guarantees:
    'A body is one JSON value in UTF-8 that every parser reads alike: no duplicate member, no variant spelling.',
  clause: {
    source: 'gateway policy',
    keyword: 'MUST',
    quote:
      'Parsers differ in which of two equal names they keep and whether letter case counts, and what the server reads otherwise was not judged.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  locked: 'a body that two parsers read differently cannot be judged for the one behind the gateway',
  remedy: { refuse: 'parseError' },
  check({ reading: { at, fault } }) {
    return fault !== undefined && FAULTS.has(fault)
      ? { at, message: `Parse error in the body: ${FAULT_WORDS[fault]}` }
      : undefined;
  },
};
