import type { Rewrite } from './rewrite.js';

/** A token that was issued for a question without a state is none of the server's: it gets no member at all. */
export const openRequestState: Rewrite<'inbound'> = {
  id: 'open-request-state',
  stage: 'inbound',
  does: 'The token on a retry reaches the server as the string that the server sent.',
  changes: ({ facts }) =>
    facts.state?.verdict === 'accepted'
      ? [{ path: ['params', 'requestState'], json: facts.state.token.inner }]
      : [],
};
