import type { Rule } from '../../engine/rule.js';

export const bodyWithinLimit: Rule<'parse'> = {
  id: 'body-within-limit',
  stage: 'parse',
  guarantees: 'A request body is at most `limits.requestBytes` long.',
  clause: {
    source: 'gateway policy',
    keyword: 'MUST',
    quote: 'A body is held in memory until it is judged, so its length has a bound.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  locked: 'a body over the limit is not read to its end; raise limits.requestBytes instead',
  remedy: { refuse: 'bodyTooLarge' },
  check({ reading }) {
    return reading.fault === 'too-large'
      ? { at: '', message: 'Request body exceeds the limit of this server' }
      : undefined;
  },
};
