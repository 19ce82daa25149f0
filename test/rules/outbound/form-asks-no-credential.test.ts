import { describe, expect, it } from 'vitest';
import { compileCredentialReader } from '../../../src/protocol/credentials.js';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { formAsksNoCredential } from '../../../src/rules/outbound/form-asks-no-credential.js';
import { judges, PEER_VALUE } from '../cases.js';
import { event, exchange, inputRequired, outbound, policy } from '../fixtures.js';

const spec = route({});
const ze = route({ broadNames: true });

function route(words: { broadNames?: boolean; words?: string[]; except?: string[] }) {
  const credentials = compileCredentialReader({ broadNames: false, words: [], except: [], ...words });
  return exchange({ policy: policy({ credentials }) });
}

function ask(params: JsonValue, on = spec) {
  return inputRequired({ q: { method: 'elicitation/create', params } }, { exchange: on });
}

function form(properties: JsonValue, more: JsonObject = {}, on = spec) {
  const requestedSchema = { type: 'object', properties, ...more };
  return ask({ mode: 'form', message: 'More details are needed', requestedSchema }, on);
}

const SCHEMA = '/result/inputRequests/q/params/requestedSchema';
const TEXT = { type: 'string' };

judges(formAsksNoCredential, {
  refuses: [
    ['a name', form({ password: TEXT }), `${SCHEMA}/properties/password`],
    ['a second field', form({ name: TEXT, api_key: TEXT }), `${SCHEMA}/properties/api_key`],
    ['a number that is secret', form({ pin: { type: 'integer' } }), `${SCHEMA}/properties/pin`],
    ['a name with slashes', form({ 'my/token': TEXT }), `${SCHEMA}/properties/my~1token`],
    ['a nested name', form({ a: { properties: { cvv: TEXT } } }), `${SCHEMA}/properties/a/properties/cvv`],
    [
      'a name in items',
      form({ a: { items: { properties: { otp: TEXT } } } }),
      `${SCHEMA}/properties/a/items/properties/otp`,
    ],
    ['a required name', form({ name: TEXT }, { required: ['name', 'token'] }), `${SCHEMA}/required/1`],
    ['a title', form({ value: { ...TEXT, title: 'API key' } }), `${SCHEMA}/properties/value/title`],
    [
      'a description',
      form({ value: { ...TEXT, description: 'Paste the token' } }),
      `${SCHEMA}/properties/value/description`,
    ],
    ['a format', form({ value: { ...TEXT, format: 'password' } }), `${SCHEMA}/properties/value/format`],
    [
      'a format in capitals',
      form({ value: { ...TEXT, format: 'Password' } }),
      `${SCHEMA}/properties/value/format`,
    ],
    ['writeOnly', form({ value: { ...TEXT, writeOnly: true } }), `${SCHEMA}/properties/value/writeOnly`],
    ["the schema's title", form({ value: TEXT }, { title: 'Your password' }), `${SCHEMA}/title`],
    [
      'a message',
      ask({ message: `Enter your password, ${PEER_VALUE}`, requestedSchema: {} }),
      '/result/inputRequests/q/params/message',
    ],
    [
      'a form without stated mode',
      ask({ message: 'm', requestedSchema: { properties: { pin: TEXT } } }),
      `${SCHEMA}/properties/pin`,
    ],
    [
      'a form of an unknown mode',
      ask({ mode: 'Form', message: 'm', requestedSchema: { properties: { pin: TEXT } } }),
      `${SCHEMA}/properties/pin`,
    ],
    ['a malformed schema', ask({ message: 'm', requestedSchema: { password: TEXT } }), `${SCHEMA}/password`],
    [
      'a number that claims options, which the revision gives to texts alone',
      form({ pin: { type: 'integer', enum: [0] } }),
      `${SCHEMA}/properties/pin`,
    ],
    [
      'a text that claims to be constant, which a client shows as a field to type into',
      form({ value: { ...TEXT, title: 'Password', const: '' } }),
      `${SCHEMA}/properties/value/title`,
    ],
    [
      'a pattern that only tokens of an issuer match',
      form({ value: { ...TEXT, pattern: '^ghp_[A-Za-z0-9]{36}$' } }),
      `${SCHEMA}/properties/value/pattern`,
    ],
    [
      'a label in markup',
      form({ value: { ...TEXT, description: '<b>Password</b>' } }),
      `${SCHEMA}/properties/value/description`,
    ],
    [
      'a word that markup cuts in two',
      ask({ message: 'Enter your pass<wbr>word', requestedSchema: {} }),
      '/result/inputRequests/q/params/message',
    ],
    ['an enum without values', form({ token: { ...TEXT, enum: [] } }), `${SCHEMA}/properties/token`],
    [
      'a field that may be boolean',
      form({ token: { type: ['boolean', 'string'] } }),
      `${SCHEMA}/properties/token`,
    ],
    [
      'a form under another method',
      inputRequired(
        { q: { method: 'roots/list', params: { requestedSchema: { properties: { pin: TEXT } } } } },
        { exchange: spec },
      ),
      `${SCHEMA}/properties/pin`,
    ],
    [
      'a form without a method',
      inputRequired(
        { q: { params: { requestedSchema: { properties: { pin: TEXT } } } } },
        { exchange: spec },
      ),
      `${SCHEMA}/properties/pin`,
    ],
    [
      'a later entry',
      inputRequired(
        {
          a: { method: 'roots/list' },
          'b/c': { method: 'elicitation/create', params: { message: 'Your PIN?' } },
        },
        { exchange: spec },
      ),
      '/result/inputRequests/b~1c/params/message',
    ],
    [
      'an entry of a result of another type',
      outbound({
        exchange: spec,
        result: {
          resultType: 'task',
          inputRequests: { q: { method: 'elicitation/create', params: { message: 'Your PIN?' } } },
        },
      }),
      '/result/inputRequests/q/params/message',
    ],
    [
      'what a task asks for',
      event(
        'notifications/tasks',
        { inputRequests: { q: { method: 'elicitation/create', params: { message: 'Your PIN?' } } } },
        { exchange: spec },
      ),
      '/params/inputRequests/q/params/message',
    ],
    ["what Ze's reading adds", form({ max_tokens: TEXT }, {}, ze), `${SCHEMA}/properties/max_tokens`],
    [
      'an added word',
      form({ kennitala: TEXT }, {}, route({ words: ['kennitala'] })),
      `${SCHEMA}/properties/kennitala`,
    ],
    ['a look-alike', form({ раsswоrd: TEXT }), `${SCHEMA}/properties/раsswоrd`],
  ],
  passes: [
    [
      'an ordinary form',
      form({ command: { ...TEXT, title: 'ze command', description: 'The ze command to execute.' } }),
    ],
    ['an ordinary form in profile ze', form({ command: TEXT }, { required: ['command'] }, ze)],
    ['names and addresses', form({ name: TEXT, email: { ...TEXT, format: 'email' }, username: TEXT })],
    [
      'words that sound alike',
      form({ max_tokens: TEXT, secretary: TEXT, key_generator: TEXT, passport_country: TEXT }),
    ],
    ['a warning', form({ note: { ...TEXT, description: 'Never enter your password here' } })],
    ['a choice of methods', form({ auth_method: { ...TEXT, enum: ['password', 'api_key', 'sso'] } })],
    ['a choice of titled methods', form({ method: { ...TEXT, oneOf: [{ const: 'p', title: 'Password' }] } })],
    [
      'a choice among stored credentials',
      form({ credential: { ...TEXT, enum: ['production', 'test'] } }, { required: ['credential'] }),
    ],
    ['several choices', form({ tokens: { type: 'array', title: 'API keys', items: { enum: ['a', 'b'] } } })],
    [
      'a boolean',
      form({ has_api_key: { type: 'boolean', title: 'API key', description: 'Enter your API key?' } }),
    ],
    ['a required boolean', form({ token: { type: 'boolean' } }, { required: ['token'] })],
    ['a boolean in profile ze', form({ use_token: { type: 'boolean' } }, {}, ze)],
    ['a default', form({ method: { ...TEXT, default: 'password' } })],
    ['an exception', form({ token: TEXT }, {}, route({ except: ['token'] }))],
    [
      'an exception in profile ze',
      form({ max_tokens: TEXT }, {}, route({ broadNames: true, except: ['max_tokens'] })),
    ],
    [
      'a URL elicitation',
      ask({ mode: 'url', message: 'Please provide your API key to continue.', url: 'https://a.example/' }),
    ],
    [
      'sampling',
      inputRequired(
        { q: { method: 'sampling/createMessage', params: { messages: [] } } },
        { exchange: spec },
      ),
    ],
    [
      'an entry that is no object',
      inputRequired({ q: 'password', r: null, s: ['password'] }, { exchange: spec }),
    ],
    ['a result that asks nothing', outbound({ exchange: spec, result: { password: 'x' } })],
    [
      'names of the prototype',
      form(JSON.parse('{"__proto__":{},"constructor":{},"toString":{}}') as JsonValue),
    ],
  ],
});

describe('form-asks-no-credential', () => {
  it('says the same sentence whatever is asked for', () => {
    expect(formAsksNoCredential.check(form({ password: TEXT }))?.message).toBe(
      'a form asks for a credential',
    );
    expect(formAsksNoCredential.check(form({ cvv: TEXT }))?.message).toBe('a form asks for a credential');
  });
});
