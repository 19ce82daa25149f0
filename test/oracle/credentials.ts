/** What design and documents say by name about forms that ask for secrets. Of any other word the oracle does not judge. */
import type { Answer } from './values.js';

/** Asked for in every profile. */
export const SECRET_NAMES = [
  ...['password', 'userPassword', 'passphrase', 'api_key', 'apiKey', 'accessToken', 'secret', 'pwd'],
  ...[
    'pin',
    'otp',
    'card number',
    'seed phrase',
    'connectionString',
    'privateKey',
    'cvv',
    'пароль',
    'Passwort',
  ],
];
/** Only Ze reads these as secrets: they hold one of its substrings. */
export const SECRET_FOR_ZE = ['max_tokens', 'token_count', 'secretary', 'password_policy'];
export const HARMLESS_NAMES = [
  ...['city', 'command', 'name', 'email', 'username', 'count', 'date', 'color', 'a', 'b'],
  ...['author', 'key_generator', 'pinned', 'spinning', 'public_key'],
];
export const SECRET_TEXTS = ['Enter your password', 'Paste the token', 'Please enter your password.'];
export const HARMLESS_TEXTS = [
  ...['', 'Which city?', 'The color', 'red', 'green', 'How many?', 'Which ze command should be run?'],
  ...['you will never be asked for a password', 'never enter your password here'],
];

const ZE_SUBSTRINGS = [
  ...['password', 'passwd', 'passphrase', 'secret', 'token', 'apikey', 'credential', 'privatekey', 'cvv'],
];

export function nameAsks(name: string, ze: boolean): Answer {
  if (SECRET_NAMES.includes(name)) return 'yes';
  const squeezed = name.toLowerCase().replaceAll(/[_-]/g, '');
  if (ze && ZE_SUBSTRINGS.some((part) => squeezed.includes(part))) return 'yes';
  return HARMLESS_NAMES.includes(name) || SECRET_FOR_ZE.includes(name) ? 'no' : 'maybe';
}

export function textAsks(text: string): Answer {
  if (SECRET_TEXTS.includes(text)) return 'yes';
  return HARMLESS_TEXTS.includes(text) ? 'no' : 'maybe';
}
