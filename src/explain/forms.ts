/** Rules on forms and pages. */
import { METHOD_ELICIT } from '../protocol/constants.js';
import type { Explanations } from './example.js';
import { asks, CALL, FORM_AND_URL, form, page } from './parts.js';

const CALL_URL = { ...CALL, capabilities: FORM_AND_URL };

export const FORMS: Explanations = {
  'elicitation-well-formed': {
    why: 'A user who is not told why something is asked, and a client that is not told what to show, can only guess.',
    bad: {
      says: 'a form that does not say what it is about',
      request: CALL,
      answer: asks({
        guest: {
          method: METHOD_ELICIT,
          params: {
            mode: 'form',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
          },
        },
      }),
    },
    good: {
      says: 'a form with a message',
      request: CALL,
      answer: asks({ guest: form({ name: { type: 'string' } }) }),
    },
  },
  'form-asks-no-credential': {
    why: 'What is entered into a form passes through the client, its model’s context and its logs. Secrets belong on a page of the server’s own, which URL mode leads to.',
    bad: {
      says: 'a form that asks for a key',
      request: CALL,
      answer: asks({ account: form({ api_key: { type: 'string', title: 'API key' } }) }),
    },
    good: {
      says: 'a form that asks for a name',
      request: CALL,
      answer: asks({ account: form({ user_name: { type: 'string', title: 'User name' } }) }),
    },
    tune: [
      [
        'routes: [{ credentials: { except: [token_label] } }]',
        'takes a field name or a word for no secret here',
      ],
      ['routes: [{ credentials: { words: [badge number] } }]', 'takes further words for a secret'],
    ],
  },
  'form-schema-flat': {
    why: 'Clients draw forms from the schema. The revision keeps it to flat objects of primitive fields, so that every client can; what nests is shown wrongly or not at all, and not checked.',
    bad: {
      says: 'an object inside the form',
      request: CALL,
      answer: asks({
        guest: form({ address: { type: 'object', properties: { city: { type: 'string' } } } }),
      }),
    },
    good: {
      says: 'the same as a flat field',
      request: CALL,
      answer: asks({ guest: form({ city: { type: 'string' } }) }),
    },
  },
  'form-has-no-link': {
    why: 'A link in a form is clicked without the consent and the warnings that a client shows before it opens a page of URL mode.',
    bad: {
      says: 'a link in the message',
      request: CALL,
      answer: asks({
        guest: form({ name: { type: 'string' } }, { message: 'See https://example.com/terms first' }),
      }),
    },
    good: { says: 'words', request: CALL, answer: asks({ guest: form({ name: { type: 'string' } }) }) },
  },
  'url-valid': {
    why: 'The user decides by the host that is shown. User information before it looks like a host, and a credential in the query lets whoever sees the URL act in the user’s name.',
    bad: {
      says: 'another name before the host',
      request: CALL_URL,
      answer: asks({ account: page('https://accounts.example@evil.example/connect') }),
    },
    good: {
      says: 'a page whose host is what it seems',
      request: CALL_URL,
      answer: asks({ account: page('https://accounts.example/connect') }),
    },
  },
  'url-https': {
    why: 'Whoever is on the way to an http page can read what the user enters there, and put another page in its place.',
    bad: {
      says: 'a page without TLS',
      request: CALL_URL,
      answer: asks({ account: page('http://accounts.example/connect') }),
    },
    good: {
      says: 'a page with TLS; loopback needs none',
      request: CALL_URL,
      answer: asks({ account: page('https://accounts.example/connect') }),
    },
  },
};
