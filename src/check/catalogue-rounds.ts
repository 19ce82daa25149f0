/** Retries of what was answered with a question: each action, and states that are not what the server issued. */
import { METHOD_TOOLS_LIST } from '../protocol/constants.js';
import { type Asking, ask, harmlessCall, retry } from './asking.js';
import type { CatalogueEntry } from './catalogue.js';
import { type Expectation, notCarriedOn, refused } from './expectations.js';
import { firstQuestions, type Known, type Question, type Seen } from './known.js';

const NEVER_ISSUED = 'bXJ0ci1nYXRld2F5LWNoZWNr';
const MOST_ROUNDS = 5;
const AT = '/params/requestState';
/** Where a state is changed, as parts of its length. */
const PLACES = [0.2, 0.5, 0.8];

export const ROUNDS: readonly CatalogueEntry[] = [
  {
    id: 'retry-accept',
    asks: 'each question accepted, up to the last one',
    shapes: ['all'],
    about: (known) => firstQuestions(known).map((question) => retry(question, 'accept')),
    next: acceptAgain,
  },
  {
    id: 'retry-decline',
    asks: 'each question declined',
    shapes: ['all'],
    about: (known) => firstQuestions(known).map((question) => retry(question, 'decline')),
  },
  {
    id: 'retry-cancel',
    asks: 'each question cancelled',
    shapes: ['all'],
    about: (known) => firstQuestions(known).map((question) => retry(question, 'cancel')),
  },
  {
    id: 'retry-omit',
    asks: 'each question left without an answer',
    shapes: ['all'],
    about: (known) => firstQuestions(known).map((question) => retry(question, 'omit')),
  },
  {
    id: 'retry-malformed',
    asks: 'each question answered with a text in the place of the map of answers',
    shapes: ['all'],
    about: (known) =>
      // Without its state, since a server may need nothing else to go on.
      firstQuestions(known).map((question) => {
        const retried = retry({ ...question, requestState: undefined }, 'omit');
        return { ...retried, params: { ...retried.params, inputResponses: 'perhaps' } };
      }),
    expects: notCarriedOn(
      'input-responses-shape',
      '/params/inputResponses',
      'the server went on with answers that are no map of answers',
    ),
  },
  {
    id: 'state-forbidden',
    asks: 'a requestState where the server issues none',
    shapes: ['all'],
    about: (known) =>
      known.forbidsState
        ? [
            ...firstQuestions(known).map((question) =>
              retry(question, 'accept', { requestState: NEVER_ISSUED }),
            ),
            withState(harmlessCall(known)),
            withState(ask(METHOD_TOOLS_LIST)),
          ]
        : [],
    expects: refused('request-state-accepted', 'invalidParams', AT, 'a requestState that it never issued'),
  },
  {
    id: 'state-never-issued',
    asks: 'a retry with a requestState that the server never issued',
    shapes: ['all'],
    about: (known) =>
      stateful(known).map(({ question }) => retry(question, 'accept', { requestState: NEVER_ISSUED })),
    expects: notVerified('that it never issued'),
  },
  {
    id: 'state-changed',
    asks: 'a retry with the requestState changed in one character',
    shapes: ['all'],
    about: (known) =>
      stateful(known).flatMap(({ question, state }) =>
        PLACES.map((part) => retry(question, 'accept', { requestState: changed(state, part) })),
      ),
    expects: notVerified('in which a character was changed'),
  },
  {
    id: 'state-cut',
    asks: 'a retry with half of the requestState',
    shapes: ['all'],
    about: (known) =>
      stateful(known).map(({ question, state }) =>
        retry(question, 'accept', { requestState: state.slice(0, state.length >> 1) }),
      ),
    expects: notVerified('of which a half was missing'),
  },
];

function notVerified(which: string): Expectation {
  return notCarriedOn('request-state-verified', AT, `the server went on with a requestState ${which}`);
}

function withState(asking: Asking): Asking {
  return { ...asking, params: { ...asking.params, requestState: NEVER_ISSUED } };
}

function acceptAgain({ asking, outcome, shape }: Seen): Asking | undefined {
  const round = (asking.round ?? 1) + 1;
  if (outcome.kind !== 'input_required' || round > MOST_ROUNDS) return undefined;
  const { asked, requestState } = outcome;
  const { method, params, about } = asking;
  return retry({ method, params, about, shape, asked, requestState }, 'accept', { round });
}

function stateful(known: Known): readonly { readonly question: Question; readonly state: string }[] {
  return firstQuestions(known).flatMap((question) => {
    const { requestState: state } = question;
    return typeof state === 'string' && state.length > 1 ? [{ question, state }] : [];
  });
}

/** Another letter or digit of the same kind, at or after the place: the state still looks like one. */
export function changed(state: string, part: number): string {
  const start = Math.floor(state.length * part);
  for (let step = 0; step < state.length; step += 1) {
    const at = (start + step) % state.length;
    const character = state.charAt(at);
    if (/[a-z0-9]/i.test(character)) return state.slice(0, at) + neighbour(character) + state.slice(at + 1);
  }
  return `${state}x`;
}

function neighbour(character: string): string {
  if (character === '9') return '0';
  if (character === 'z') return 'a';
  if (character === 'Z') return 'A';
  return String.fromCharCode(character.charCodeAt(0) + 1);
}
