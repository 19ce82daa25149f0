/** Rules on what a question consists of. */
import type { Explanations } from './example.js';
import { asks, CALL, form, NAME_FORM, SAMPLING } from './parts.js';

const ZE_CALL = { ...CALL, params: { name: 'ze_execute', arguments: {} } };

export const QUESTIONS: Explanations = {
  'input-required-content-present': {
    why: 'A question with neither requests nor a state cannot be answered: the client would send the same call again, for ever.',
    bad: { says: 'a question about nothing', request: CALL, answer: asks({}) },
    good: { says: 'a question', request: CALL, answer: asks({ guest: NAME_FORM }) },
  },
  'request-state-issued-none': {
    why: 'A client must give back the state that it gets, and on this route every state is refused on the way in. A result that carries one would lead into a refusal.',
    route: { profile: 'ze' },
    bad: {
      says: 'a state on a route that forbids any (profile ze)',
      request: CALL,
      answer: asks({ guest: NAME_FORM }, { requestState: 'c2Vzc2lvbg' }),
    },
    good: { says: 'a question without one', request: CALL, answer: asks({ guest: NAME_FORM }) },
    tune: [
      ['routes: [{ requestState: relay }]', 'lets states pass as they are, both ways'],
      ['routes: [{ requestState: seal }]', 'lets them pass encrypted'],
    ],
  },
  'request-state-within-limit': {
    why: 'A sealed state holds the server’s own and what was asked, and the client has to send all of it back in a request body.',
    route: { requestState: 'seal', seal: { maxBytes: 1_024 } },
    bad: {
      says: 'a state longer than seal.maxBytes, which is 1024 in this example',
      request: CALL,
      answer: asks({ guest: NAME_FORM }, { requestState: 'x'.repeat(1_200) }),
    },
    good: {
      says: 'a state that is short enough',
      request: CALL,
      answer: asks({ guest: NAME_FORM }, { requestState: 'c2Vzc2lvbg' }),
    },
    tune: [['seal: { maxBytes: 262144 }', 'lets larger states and forms be sealed']],
  },
  'input-requests-within-limit': {
    why: 'Each request is one more thing that a user has to read and decide. Ze asks for one value; a server that asks for dozens wears its users out until they agree to anything.',
    route: { profile: 'ze' },
    bad: {
      says: 'two questions where the route allows one (profile ze)',
      request: CALL,
      answer: asks({ guest: NAME_FORM, host: NAME_FORM }),
    },
    good: { says: 'one question', request: CALL, answer: asks({ guest: NAME_FORM }) },
    tune: [['routes: [{ inputRequests: { max: 4 } }]', 'lets as many requests through at once']],
  },
  'input-request-kind-allowed': {
    why: 'A client that gets a request of a kind that it does not know can do nothing with it. A route that stands in front of Ze lets forms through alone: sampling would hand the client’s model to the server.',
    route: { profile: 'ze' },
    bad: {
      says: 'a question to the model of the client, where the route allows elicitation alone (profile ze)',
      request: { ...CALL, capabilities: { ...CALL.capabilities, sampling: {} } },
      answer: asks({ table: SAMPLING }),
    },
    good: { says: 'a question to the user', request: CALL, answer: asks({ guest: NAME_FORM }) },
    tune: [
      ['routes: [{ inputRequests: { kinds: [elicitation, sampling] } }]', 'lets sampling through as well'],
    ],
  },
  'input-request-declared': {
    why: 'A client that cannot show a form has nobody to answer it: the call hangs, or is answered by something that is not the user. Capabilities are declared on each request, and only that one counts.',
    bad: {
      says: 'a form for a client that declares url alone',
      request: { ...ZE_CALL, capabilities: { elicitation: { url: {} } } },
      answer: asks({ command: form({ command: { type: 'string' } }) }),
    },
    good: {
      says: 'a form for a client that declares form',
      request: ZE_CALL,
      answer: asks({ command: form({ command: { type: 'string' } }) }),
    },
    tune: [
      [
        'routes: [{ tools: { ze_execute: { elicits: [command] } } }]',
        'answers with the tool error `missing required argument: command` instead, as Ze does',
      ],
      [
        'routes: [{ capabilityErrorStatus: 200 }]',
        'refuses with HTTP 200, for clients that drop a connection on 400',
      ],
    ],
  },
};
