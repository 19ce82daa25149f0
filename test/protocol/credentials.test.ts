import { describe, expect, it } from 'vitest';
import { type CredentialWords, compileCredentialReader } from '../../src/protocol/credentials.js';

function reader(words: Partial<CredentialWords> = {}) {
  return compileCredentialReader({ broadNames: false, words: [], except: [], ...words });
}

const spec = reader();
const ze = reader({ broadNames: true });

describe('a name that asks', () => {
  it.each([
    ...['password', 'pwd', 'userPassword', 'db-password', 'password2', 'passphrase', 'passcode'],
    ...['pin', 'PIN', 'cardPin', 'pin_code', 'otp', 'one_time_code', '2fa_code', 'totp', 'security code'],
    ...['api key', 'apiKey', 'APIKey', 'API_KEY2', 'apikey', 'APIkey', 'x-api-key', 'openai_key'],
    ...[
      'token',
      'accessToken',
      'auth_token',
      'refresh_token',
      'bearer',
      'githubPat',
      'personal_access_token',
    ],
    ...['secret', 'client_secret', 'private key', 'ssh key', 'connectionString', 'session cookie', 'jwt'],
    ...['seed phrase', 'mnemonic phrase', 'recovery codes', 'securityQuestionAnswer', 'credentials'],
    ...['card number', 'cardNumber', 'cvv', 'CVC2', 'credit_card_expiry', 'ccnum'],
  ])('is %s', (name) => {
    expect(spec.nameAsks(name)).toBe(true);
  });
});

describe('a name that only sounds like one', () => {
  it.each([
    ...['max_tokens', 'token_count', 'promptTokens', 'tokenizer', 'token_symbol', 'pageToken', 'nextToken'],
    ...['continuationToken', 'cancellation_token', 'secretary', 'secret_santa_name', 'secret_name'],
    ...['author', 'authority', 'auth_method', 'key', 'key_generator', 'public_key', 'ssh_public_key'],
    ...[
      'primary_key',
      'keyword',
      'keyboard',
      'monkey',
      'pinned',
      'spinning',
      'spinner',
      'gpio_pin',
      'led_pin',
    ],
    ...['postal_pin_code', 'zip_code', 'error_code', 'password_policy', 'passwordless', 'has_password'],
    ...['passenger', 'passport_country', 'compass', 'shipping', 'bucket', 'username', 'email', 'full_name'],
    ...['card_type', 'cardholder', 'library_card_number', 'api_key_name', 'access_key_id', 'session_id'],
    ...['__proto__', 'constructor', 'toString', ''],
  ])('is %s', (name) => {
    expect(spec.nameAsks(name)).toBe(false);
  });

  // Identifiers that are printed on invoices and forms grant nothing: the specification leaves them to the server.
  it.each(['iban', 'account_number', 'ssn', 'tax_id', 'passport_number'])('is the identifier %s', (name) => {
    expect(spec.nameAsks(name)).toBe(false);
  });
});

describe('folding', () => {
  it.each([
    ['fullwidth letters', 'ｐａｓｓｗｏｒｄ'],
    ['mathematical letters', '𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝'],
    ['circled letters', 'ⓟⓐⓢⓢⓦⓞⓡⓓ'],
    ['squared letters', '🅿🅰🆂🆂🆆🅾🆁🅳'],
    ['small capitals', 'ᴘᴀssᴡᴏʀᴅ'],
    ['Cyrillic letters', 'раsswоrd'],
    ['Greek letters', 'ραssword'],
    ['Armenian letters', 'օtp'],
    ['Cherokee letters', 'ᏢᎪᏚᏚᏔᎾᎡᎠ'],
    ['Lisu letters', 'ꓑꓲꓠ'],
    ['letters that normalization makes others of', 'seϲret'],
    ['one word of a phrase', 'dbConnecti0nString'],
    ['one letter of a short word, beside a credential', 'ѕsoCookie'],
    ['a letter that looks like a small one', 'suЬscriptionKey'],
    ['a letter of another script beside a digit', '2fа'],
    ['a digit for the letter l', 'credentia1'],
    ['a capital I for the letter l', 'credentiaI'],
    ['a small l for a capital I', 'PlN'],
    ['a stroke of another script', 'hesӏo'],
    ['digits', 'pa55w0rd'],
    ['digits behind a word that asks in another language', 'Pass0rd'],
    ['digits and a version', 'passw0rd2'],
    ['digits of another script', 'pa٥٥word'],
    ['signs', 'p@$$word'],
    ['accents', 'pássŵord'],
    ['combining marks', 'p̶a̶s̶s̶w̶o̶r̶d̶'],
    ['zero-width spaces', 'pass\u200bword'],
    ['byte order marks', 'CreditCard\ufeffNo'],
    ['soft hyphens', 'to\u00adken'],
    ['joiners', 'api\u200dKey'],
    ['variation selectors', 'pass\ufe0fword'],
    ['tag characters', 'pass\u{e0061}word'],
    ['Hangul fillers', 'pass\u3164word'],
    ['direction overrides', '\u202epassword'],
    ['spelled letters', 'p_a_s_s_w_o_r_d'],
    ['spelled letters, one of another script', 'р_a_s_s_w_o_r_d'],
    ['a word cut in two', 'pass_word'],
    ['case that follows no word', 'cReDiTcArDnUmBeR'],
    ['case in a word of another script', 'ПарОЛЬ'],
  ])('sees through %s', (_title, name) => {
    expect(spec.nameAsks(name)).toBe(true);
  });

  it.each([
    ...[
      'contraseña',
      'mot_de_passe',
      'Passwort',
      'Kennwort',
      'senha',
      'wachtwoord',
      'lösenord',
      'hasło',
      'heslo',
    ],
    ...[
      'пароль',
      'новыйПароль',
      'токен_доступа',
      '密码',
      '登录密碼',
      'パスワード',
      '暗証番号',
      '비밀번호',
      'şifre',
    ],
    ...[
      'mật khẩu',
      'كلمة المرور',
      'סיסמה',
      'पासवर्ड',
      'รหัสผ่าน',
      'kata_sandi',
      'κωδικός_πρόσβασης',
      'salasana',
    ],
  ])('keeps the words of other languages: %s', (name) => {
    expect(spec.nameAsks(name)).toBe(true);
  });

  it.each([
    'userId',
    'sessionIdList',
    'cohesion1',
    'adhesion',
    'gpio17_pin',
    'ALl_users',
    'pinball2',
    'κωδικόϲ',
  ])('takes no stroke or digit for what it is not: %s', (name) => {
    expect(spec.nameAsks(name)).toBe(false);
  });

  it('sees Latin letters in a word of another script', () => {
    expect(spec.nameAsks('пapoль')).toBe(true);
  });

  it.each([
    '密码策略',
    '令牌数量',
    'длина_пароля',
    'количество_токенов',
    'passwortrichtlinie',
    '비밀번호정책',
    '关键词',
  ])('reads the noun that a word of another language only qualifies: %s', (name) => {
    expect(spec.nameAsks(name)).toBe(false);
  });
});

describe('a title', () => {
  it.each([
    'API Key',
    'Your 4-digit PIN',
    'Confirm password',
    'What is your PIN?',
    'Security code (CVV)',
    '密码',
  ])('asks: %s', (title) => {
    expect(spec.titleAsks(title)).toBe(true);
  });

  it.each([
    'Token limit',
    'Reset password?',
    'Which token?',
    'Pin message?',
    'Public key',
    'Never a password',
  ])('does not ask: %s', (title) => {
    expect(spec.titleAsks(title)).toBe(false);
  });
});

describe('words of the configuration', () => {
  const adapted = reader({
    words: ['kennitala', 'Badge Code', '工号'],
    except: ['token', 'pinCode', 'client secret name', '密码'],
  });

  it.each([
    'kennitala',
    'Kenni\u200btala',
    'user_kennitala',
    'badge_code',
    'badgeCode',
    'BADGE-CODES',
    '您的工号',
  ])('asks for the added %s', (name) => {
    expect(adapted.nameAsks(name)).toBe(true);
  });

  it('reads added words in prose', () => {
    expect(adapted.textAsks('Please enter your badge code.')).toBe(true);
    expect(adapted.textAsks('Never enter your badge code.')).toBe(false);
    expect(adapted.nameAsks('kennitala_format')).toBe(false);
  });

  it.each(['token', 'deployToken', 'tоken', 'pin_code', 'PINCode', 'pincode', '密码', '用户密码'])(
    'excepts %s',
    (name) => {
      expect(adapted.nameAsks(name)).toBe(false);
    },
  );

  it.each(['access_token', 'pin', 'client_secret', 'password'])(
    'excepts no more than what is named: %s',
    (name) => {
      expect(adapted.nameAsks(name)).toBe(true);
    },
  );

  it('excepts a phrase in prose', () => {
    expect(adapted.textAsks('Enter the token')).toBe(false);
  });

  it('lets an exception win over an added word', () => {
    expect(reader({ words: ['badge'], except: ['badge'] }).nameAsks('badge')).toBe(false);
  });

  it('takes empty words for none', () => {
    expect(reader({ words: ['', ' ', '--'], except: ['', '_'], broadNames: true }).nameAsks('name')).toBe(
      false,
    );
  });

  it('leaves other readers alone', () => {
    expect(spec.nameAsks('token')).toBe(true);
    expect(spec.nameAsks('kennitala')).toBe(false);
  });
});

describe("Ze's broad reading of names", () => {
  it.each([
    'max_tokens',
    'secretary',
    'password_policy',
    'api-key-name',
    'API_KEY_id',
    'credentialing',
    'privateKeyPath',
  ])('refuses %s, which words alone let pass', (name) => {
    expect(ze.nameAsks(name)).toBe(true);
    expect(spec.nameAsks(name)).toBe(false);
  });

  it('adds to the reading of words and does not replace it', () => {
    expect(ze.nameAsks('pin')).toBe(true);
    expect(ze.nameAsks('seed phrase')).toBe(true);
    expect(ze.nameAsks('command')).toBe(false);
  });

  it('sees through look-alikes', () => {
    expect(ze.nameAsks('mаx_t0kens')).toBe(true);
  });

  it('is for names only', () => {
    expect(ze.titleAsks('Max tokens')).toBe(false);
    expect(ze.textAsks('Maximum number of tokens')).toBe(false);
  });

  it('honours exceptions, in whatever spelling', () => {
    const adapted = reader({ broadNames: true, except: ['max_tokens', 'secretary'] });
    expect(adapted.nameAsks('maxTokens')).toBe(false);
    expect(adapted.nameAsks('secretary')).toBe(false);
    expect(adapted.nameAsks('max_tokens_secret')).toBe(true);
  });
});
