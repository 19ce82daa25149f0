import { describe, expect, it } from 'vitest';
import { compileCredentialReader } from '../../src/protocol/credentials.js';

const { textAsks, nameAsks, titleAsks } = compileCredentialReader({
  broadNames: false,
  words: [],
  except: [],
});

describe('prose that asks', () => {
  it.each([
    ['a request', 'Please enter your password'],
    ['another verb', 'Paste the token'],
    ['a polite question', 'Could you give me your access token?'],
    ['a question for the thing', 'What is your PIN?'],
    ['a need', 'I need your GitHub token to open the pull request.'],
    ['a requirement', 'An API key is required'],
    ['a passive', 'An access token must be provided'],
    ['a label', 'API key for the weather service'],
    ['a label with an owner', 'Your API secret (will be stored securely)'],
    ['a prompt', 'Password:'],
    ['a list', 'Please provide card number, expiry date and CVV'],
    ['an announced list', 'We need the following from you:\n- host name\n- API key'],
    ['a second object', 'Enter your e-mail address and your password'],
    ['a pronoun', 'If you have an API key, paste it here'],
    ['a pronoun in the next sentence', 'We sent a verification code to your phone. Enter it below.'],
    ['a code that was sent', 'Enter the code we texted you.'],
    ['something to make up', 'Choose a strong password of at least 12 characters'],
    ['an instrument', 'Please confirm the payment with your PIN'],
    ['what denies something else', "Don't worry, enter your password"],
    ['what denies a denial', 'Do not forget to enter your password'],
    ['what cannot do without', 'We cannot continue without your password.'],
    ['a denial that comes later', 'Enter your password. Never share it with others.'],
    ['a wrapped line', 'Please enter your\npassword'],
    ['a broken line', 'Please enter your\n\npassword'],
    ['emphasis', 'Enter your **password**'],
    ['look-alike letters', 'Еnter your pаssword'],
    ['a look-alike letter beside a short form', "I ϲan't unlock the phone without the PIN. Please enter it."],
    ['a look-alike letter before an apostrophe', "Password deӏl'account"],
    ['a look-alike letter behind a colon', 'Username:ρassword'],
    ['a stroke for a letter', 'Enter your credentia1s'],
    ['digits for letters', 'Enter your passw0rd'],
    ['hidden characters', 'Enter your p\u200ba\u200bs\u200bs\u200bword'],
    ['spelled letters', 'Please enter y o u r p a s s w o r d'],
    ['capitals', 'PLEASE ENTER YOUR PASSWORD'],
    ['a mention before', 'You will never be asked twice. Enter your password'],
  ])('by %s', (_title, text) => {
    expect(textAsks(text)).toBe(true);
  });

  it.each([
    ...[
      'Bitte Passwort eingeben',
      'Bitte geben Sie Ihr Passwort ein, um fortzufahren.',
      'Wie lautet Ihre PIN?',
    ],
    ...[
      'Introduce tu contraseña',
      '¿Cuál es tu contraseña?',
      'Saisissez votre mot de passe',
      'Digite sua senha',
    ],
    ...[
      'Inserisci la tua password',
      'Voer uw wachtwoord in',
      'Ange ditt lösenord',
      'Podaj hasło',
      'Zadejte heslo',
    ],
    ...['Введите пароль', 'Введіть пароль', 'Şifrenizi girin', '请输入您的密码', '您的密码是什么？'],
    ...[
      'パスワードを入力してください',
      '비밀번호를 입력하세요',
      'Nhập mật khẩu',
      'أدخل كلمة المرور',
      'הזן סיסמה',
    ],
  ])('in other languages: %s', (text) => {
    expect(textAsks(text)).toBe(true);
  });
});

describe('prose that mentions', () => {
  it.each([
    ['a promise', 'You will never be asked for a password'],
    ['a warning', 'Never enter your password here'],
    ['a warning of others', 'Sites that ask you to enter your password are scams'],
    ['a hypothetical', 'If someone asks you to share your password, refuse'],
    ['a policy', 'Passwords must be changed every 90 days'],
    ['a state', 'The API key is already configured'],
    ['a part of speech', 'Enter the password policy'],
    ['a name of one', 'Enter the name of the API key to rotate'],
    ['a number of them', 'Enter the maximum number of tokens'],
    ['a choice of methods', 'Authentication method: password, API key or OAuth'],
    ['a question about one', 'Which token do you want to buy?'],
    ['a question whether', 'Do you want to reset the password of user bob?'],
    ['a question how', 'How long should the access token be valid?'],
    ['an action on one', 'Rotate the API key "ci"? This cannot be undone.'],
    ['a literal answer', "Type 'delete token' to confirm"],
    ['another person', 'The user must enter their password'],
    ['an exclusion', 'Your GitHub username, never your password'],
    ['a place elsewhere', 'You will be asked to enter your password on the next page.'],
    ['no need', 'You do not need to provide a token'],
    ['an example', "The ze command to execute, for example 'show password policy'."],
    ['a list of what not to give', 'Do not include passwords, tokens or other secrets in the description.'],
    ['another kind of code', 'Enter the discount code'],
    ['another kind of pin', 'Enter the pin number of the LED on the board'],
    ['nothing', ''],
  ])('as %s', (_title, text) => {
    expect(textAsks(text)).toBe(false);
  });

  it.each([
    ...[
      'Passwort bitte nicht eingeben',
      'Geben Sie hier niemals Ihr Passwort ein',
      'Wie lang soll das Passwort sein?',
    ],
    ...[
      'Nunca compartas tu contraseña',
      'Ne saisissez jamais votre mot de passe ici',
      'Nunca digite sua senha aqui',
    ],
    ...[
      'Никогда не вводите пароль',
      'Сбросить пароль?',
      '请勿输入密码',
      '要重置密码吗？',
      '请输入令牌的名称',
    ],
    ...['パスワードは入力しないでください', '비밀번호를 입력하지 마세요', 'Şifrenizi buraya girmeyin'],
  ])('in other languages: %s', (text) => {
    expect(textAsks(text)).toBe(false);
  });
});

/** Long enough that anything worse than linear would never end. */
const LENGTH = 1 << 18;

describe('a hostile text', () => {
  it.each([
    ['single letters', 'a '],
    ['dots between letters', 'a.'],
    ['camel case', 'aB'],
    ['digits between letters', '1a'],
    ['signs between letters', 'a@'],
    ['apostrophes', "a'"],
    ['quotes', '"\''],
    ['line ends', '\n'],
    ['requests without object', 'enter '],
    ['names that are denied', 'never enter your password. '],
    ['names that only qualify', 'password policy and '],
    ['the beginning of a name', 'passwor'],
    ['the beginning of a phrase', 'one time one '],
    ['combining marks', '\u0301\u0316'],
    ['Hangul and kana', '밀パ'],
    ['Han', '密'],
    ['mixed scripts', 'пa '],
  ])('of %s is read to its end, where it asks', (_title, piece) => {
    const filler = piece.repeat(Math.ceil(LENGTH / piece.length));
    expect(textAsks(filler)).toBe(false);
    expect(textAsks(`${filler}.\n\nPlease enter your password.`)).toBe(true);
  });

  it('may stand in a name or a title', () => {
    const filler = 'max_token_count_'.repeat(LENGTH / 16);
    expect(nameAsks(filler)).toBe(false);
    expect(titleAsks(filler)).toBe(false);
    expect(nameAsks(`${filler}of_nothing`)).toBe(false);
    expect(nameAsks(`${'x_'.repeat(LENGTH)}password`)).toBe(true);
  });

  it('may be one of very many names', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `property_${index}`);
    expect(names.filter(nameAsks)).toEqual([]);
    expect([...names, 'api_key'].filter(nameAsks)).toEqual(['api_key']);
  });
});
