import { describe, expect, it } from 'vitest';
import { FORM } from '../support/client.js';
import { asking, exchange, expectRefusal, form, resultOf, streamed } from './exchange.js';

const TEXT = { type: 'string' };
const REFUSED = { status: 200, code: -32603, rule: 'form-asks-no-credential' };
const fields = (...names: readonly string[]) => form(Object.fromEntries(names.map((name) => [name, TEXT])));
const worded = (message: string, properties: object = { note: TEXT }) =>
  asking({
    q: {
      method: 'elicitation/create',
      params: { mode: 'form', message, requestedSchema: { type: 'object', properties } },
    },
  });

describe('a form that asks for ordinary things', () => {
  it.each([
    ['key_generator'],
    ['token_count'],
    ['max_tokens'],
    ['promptTokens'],
    ['author'],
    ['secretary'],
    ['passport_country'],
    ['shipping'],
    ['monkey'],
    ['bucket'],
    ['keyboard'],
    ['compass'],
    ['spinner'],
    ['authority'],
    ['username'],
    ['email'],
    ['primary_key'],
    ['keyword'],
    ['pinned'],
    ['password_policy'],
    ['public_key'],
    ['tokenizer'],
    ['passenger'],
    ['secretariat'],
    ['keynote'],
    ['sort_key'],
    ['hotkey'],
    ['opinion'],
    ['secret_santa_name'],
    ['pineapple'],
    ['tokens_per_minute'],
    ['phone_number'],
    ['postcode'],
    ['compassion'],
    ['authorName'],
  ])('gets through with a field %s', async (name) => {
    const question = resultOf(fields(name));
    const answer = await exchange({ capabilities: FORM, reply: question });
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify(question)]);
  });

  it.each<readonly [string, Record<string, unknown>]>([
    [
      'advises against entering a password',
      form({ note: { ...TEXT, description: 'Never enter your password here' } }),
    ],
    ['promises never to ask for one', worded('You will never be asked for a password.')],
    ['offers ways to sign in', form({ auth_method: { ...TEXT, enum: ['password', 'api_key', 'sso'] } })],
    [
      'offers them with titles',
      form({
        method: {
          ...TEXT,
          oneOf: [
            { const: 'p', title: 'Password' },
            { const: 's', title: 'SSO' },
          ],
        },
      }),
    ],
    ['wants a yes or no about a key', form({ has_api_key: { type: 'boolean' } })],
    [
      'names a tool that rotates keys',
      worded('Which service’s API key shall be rotated?', { service: TEXT }),
    ],
    ['wants an e-mail address', form({ email: { ...TEXT, format: 'email' } })],
  ])('gets through when it %s', async (_, question) => {
    const answer = await exchange({ capabilities: FORM, reply: resultOf(question) });
    expect([answer.status, answer.message.result]).toEqual([200, question]);
  });
});

describe('a form that asks for a secret', () => {
  it.each([
    ['password'],
    ['passwd'],
    ['pwd'],
    ['passphrase'],
    ['api_key'],
    ['apiKey'],
    ['API-KEY'],
    ['x-api-key'],
    ['access_token'],
    ['accessToken'],
    ['refreshToken'],
    ['client_secret'],
    ['secretKey'],
    ['private_key'],
    ['privateKey'],
    ['pin'],
    ['otp'],
    ['cvv'],
    ['card_number'],
    ['seedPhrase'],
    ['connectionString'],
    ['bearer_token'],
    ['credentials'],
    ['ssh_private_key'],
    ['db_password'],
    ['userPassword2'],
    ['pаssword'],
    ['ｐａｓｓｗｏｒｄ'],
    ['pass\u200bword'],
    ['p4ssw0rd'],
    ['PASSWORD'],
    ['contraseña'],
    ['mot de passe'],
    ['Passwort'],
    ['senha'],
    ['пароль'],
    ['密码'],
  ])('is refused with a field %s', async (name) => {
    const answer = await exchange({ capabilities: FORM, reply: resultOf(fields('city', name)) });
    expectRefusal(answer, REFUSED);
    expect(answer.text).not.toContain('"properties"');
  });

  it.each<readonly [string, Record<string, unknown>]>([
    ['in a title alone', form({ value: { ...TEXT, title: 'Your API key' } })],
    ['in a description', form({ value: { ...TEXT, description: 'Enter your password' } })],
    ['in the message', worded('Please paste your access token below.', { value: TEXT })],
    [
      'in required alone',
      asking({
        q: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'm',
            requestedSchema: { type: 'object', properties: { city: TEXT }, required: ['city', 'password'] },
          },
        },
      }),
    ],
    ['by its format', form({ value: { ...TEXT, format: 'password' } })],
    ['by being write-only', form({ value: { ...TEXT, writeOnly: true } })],
    [
      'without a mode',
      asking({
        q: {
          method: 'elicitation/create',
          params: { message: 'm', requestedSchema: { type: 'object', properties: { password: TEXT } } },
        },
      }),
    ],
    [
      'in the second of two questions',
      {
        ...fields('city'),
        inputRequests: {
          a: (fields('city').inputRequests as { q: unknown }).q,
          b: (fields('password').inputRequests as { q: unknown }).q,
        },
      },
    ],
    ['in an object within it', form({ account: { type: 'object', properties: { password: TEXT } } })],
  ])('is refused when it asks %s', async (_, question) => {
    const answer = await exchange({ capabilities: FORM, reply: resultOf(question) });
    expectRefusal(answer, REFUSED);
  });

  it.each(['tools/call', 'prompts/get', 'resources/read'])(
    'is refused on %s, as a body and as a stream',
    async (method) => {
      for (const reply of [resultOf(fields('api_key')), streamed(resultOf(fields('api_key')))])
        expectRefusal(await exchange({ method, capabilities: FORM, reply }), REFUSED);
    },
  );
});

describe('the manner of Ze', () => {
  const ze = { capabilities: FORM, config: { route: { profile: 'ze' } } };

  it.each([['max_tokens'], ['secretary'], ['tokenizer'], ['public_credential_id']])(
    'is stricter with names: %s is refused',
    async (name) => {
      expectRefusal(await exchange({ ...ze, reply: resultOf(fields(name)) }), REFUSED);
    },
  );

  it.each([['command'], ['key_generator'], ['author'], ['email']])(
    'lets %s through all the same',
    async (name) => {
      expect((await exchange({ ...ze, reply: resultOf(fields(name)) })).status).toBe(200);
    },
  );
});
