import { issuedState } from '../engine/issued.js';
import { askedInputs } from '../protocol/asked.js';
import { lexemeAt } from '../protocol/json.js';
import type { Rewrite } from './rewrite.js';

const PATH = ['result', 'requestState'] as const;

/** The server's string goes into the token as it is written, so that it can come back byte for byte. */
export const sealRequestState: Rewrite<'outbound'> = {
  id: 'seal-request-state',
  stage: 'outbound',
  does: 'The state of a result that asks for input leaves as a token that nobody else can make, read, move or reuse.',
  changes: (input) => {
    const { seal } = input.exchange.facts;
    const issued = issuedState(input);
    if (seal === undefined || issued === undefined) return [];
    const inner = issued === 'own' ? lexemeAt(input.reading.text, PATH) : undefined;
    return [{ path: PATH, json: JSON.stringify(seal(inner, askedInputs(input.asked))) }];
  },
};
