/** English names of credentials and of what merely sounds like one. Phrases are separated by commas or line ends. */
import type { PhraseKind } from './phrases.js';

export interface Terms {
  readonly kind: PhraseKind;
  readonly phrases: string;
  /** Each of these, followed by each of `phrases`. */
  readonly before?: string;
}

const TRADES_OF_PINS = `gpio, led, data, map, drop, analog, digital, input, output, rx, tx, sda, scl, sck, mosi, miso,
  cs, clock, reset, enable, power, ground, signal, sensor, button, board, chip, pwm, adc, dac, i2c, spi, uart, trigger,
  echo, servo, relay, motor, lapel, enamel, bowling, rolling, safety, push, hair, location, pinterest, firing, hinge,
  dip, header, connector, arduino, esp32, raspberry pi, interrupt, base, collar, tie`;

const TRADES_OF_TOKENS = `max, maximum, min, minimum, total, prompt, completion, input, output, num, used, cached,
  reasoning, remaining, estimated, per, stop, special, pad, padding, eos, bos, mask, unk, separator, next, page, next page,
  prev page, previous page, continuation, cancellation, cancel, sync, next sync, delta, resume, cursor, paging,
  pagination, idempotency, client request, design, nft, erc, erc20, erc 20, erc 721, spl, native, gas, governance, reward,
  quote, sell, buy, from, to, in, out, lp, pool, collateral, debt, fungible, non fungible, stable, utility, meme, crypto,
  fee, wrapped, underlying, staking, stake, swap, each, every, word, unknown, lookahead, progress, placeholder, template,
  syntax, punctuation, whitespace, string, character, color, theme, spacing, typography, game, board, arcade, laundry,
  transit, subway, thinking, generated, response, new, context`;

const TRADES_OF_CARDS = `library, loyalty, membership, member, sim, id, identity, insurance, medical, health, medicare,
  student, employee, staff, business, playing, report, green, residence, resident, visitor, punch, score, time, rewards,
  bonus, club, flash, trello, kanban, graphics, video, sound, memory, sd, index, post, tarot, contact, national id, travel,
  transit, metro, oyster, ration, voter, pan, aadhaar, vaccination, network, story, task`;

const TRADES_OF_CODES = `discount, promo, promotional, promotion, coupon, voucher, referral, invite, invitation, country,
  zip, postal, post, area, error, status, source, product, item, language, currency, airport, color, colour, exit, return,
  dress, qr, bar, booking, reservation, order, tracking, project, cost, tax, sort, swift, branch, dialing, dial, region,
  state, city, station, course, class, diagnosis, icd, hs, vat, sap, g, morse, genetic, building, clean, example, sample,
  python, response, reason, iata, icao, naics, sic, calling, locale, department, team, warehouse, plant, room, license
  plate, sku, material, iso, event`;

const KEYS = `api, access, secret, private, signing, encryption, decryption, aes 128, aes 256, rsa 2048, rsa 4096, master, app, application, auth,
  authentication, authorization, authorisation, subscription, shared, pre shared, preshared, session, security, recovery,
  backup, wallet, admin, root, bot, integration, hmac, aes, rsa, cipher, wpa, wep, wifi, wi fi, network, unlock, service,
  storage account, service account, server, license, licence, activation, ssh, pem, deploy, webhook, jwt, bearer, hot
  wallet, tls, ssl, openai, open ai, anthropic, claude, gemini, google, google maps, gcp, aws, azure, stripe, github,
  git hub, gitlab, git lab, huggingface, hugging face, hf, mistral, cohere, groq, deepseek, deep seek, replicate, sendgrid,
  send grid, twilio, mailgun, mailchimp, airtable, slack, discord, telegram, cloudflare, datadog, newrelic, new relic,
  sentry, supabase, firebase, pinecone, serpapi, serp api, tavily, brave, perplexity, openrouter, open router, elevenlabs,
  eleven labs, openweather, open weather, openweathermap, alchemy, infura, etherscan, coinbase, binance, kraken, shodan,
  virustotal, virus total, algolia, paypal, pay pal, figma, grafana, vercel, netlify, heroku, digitalocean, jira api, x api`;

const CODES = `oauth, o auth, authorization, authorisation, auth, authentication, authenticator, authenticator app, login,
  log in, signin, sign in, access, security, verification, verify, one time, onetime, single use, otp, totp, sms, 2 fa,
  2fa, mfa, tfa, two factor, 2 factor, two step, 2 step, two factor authentication, 2 factor authentication, two step
  verification, 2 step verification, multi factor, multi factor authentication, digit, unlock, door, alarm, gate, lock,
  disarm, recovery, backup, rescue, scratch, reset, password reset, reset password, activation, magic, temporary, card
  verification, card security, card, cvv, cvc, gift card, giftcard, puk, security pass, email verification, phone
  verification, secret, pass, fa, entry, keypad, safe, vault, transaction authorization, transaction authentication`;

export const ENGLISH_TERMS: readonly Terms[] = [
  {
    kind: 'memorised',
    phrases: `password, passwd, pwd, pw, pswd, psswd, passwrd, userpwd, passphrase, pass phrase, passcode, pass code, pass word, passkey,
      pass key, psk, otp, totp, hotp, one time pin, one time pass, passwort, kennwort, 2 fa pin, mnemonic, puk, memorable
      word, secret word, code word, security answer, security question answer, secret answer, secret question answer,
      answer to your security question, answer to the security question, answer to security question, answer your security
      question, answer to your secret question, mother s maiden name, mothers maiden name, mother maiden name, lock
      combination, safe combination, mtan, itan, tan nummer, otp number`,
  },
  {
    kind: 'memorised',
    before:
      'user, db, database, smtp, imap, ftp, sftp, mail, root, admin, login, wifi, ssh, proxy, my, mysql, sudo, http',
    phrases: 'pass, pw',
  },
  {
    kind: 'pin',
    phrases: 'pin, pin code, pincode, pin number, pin no, userpin, cardpin, atmpin, simpin, mpin',
  },
  { kind: 'token', phrases: 'token' },
  {
    kind: 'secret',
    before:
      'access, auth, refresh, reset, bearer, session, api, bot, personal access, verification, security, csrf',
    phrases: 'token',
  },
  { kind: 'secret', phrases: 'key', before: KEYS },
  { kind: 'memorised', phrases: 'code', before: CODES },
  {
    kind: 'secret',
    phrases: `apikey, apisecret, apitoken, secretkey, accesskey, privatekey, masterkey, encryptionkey, signingkey,
      accesstoken, authtoken, refreshtoken, bearertoken, sessiontoken, clientsecret, appsecret, securitycode,
      verificationcode, authcode, api secret, secret, client secret, credential, creds, cred, jwt, authorization
      header, authorisation header, auth header, private pem, key pem, service account json, connection string, connection
      str, conn string, conn str, connectionstring, connstring, connstr, session cookie, auth cookie, sso cookie, authentication cookie,
      login cookie, session id cookie, sessionid cookie, browser cookie, cookie header, cookie value, jsessionid, phpsessid, login details, log in details, sign
      in details, logon details, seed phrase, seed word, wallet seed, recovery seed, recovery phrase, recovery word,
      mnemonic phrase, mnemonic seed, mnemonic word, secret phrase, backup phrase, wallet phrase, word phrase, word seed
      phrase, word mnemonic phrase, word mnemonic, word recovery phrase, word secret phrase, word backup phrase, seedphrase, recoveryphrase, recoverycode, backupcode, ssh id rsa, stripe live key, stripe test key, gift card number, gift card pin, PAT`,
  },
  {
    kind: 'card',
    phrases: `card number, cardnumber, card num, cardnum, card no, cardno, credit card, credit card number, creditcard, debit card, debit
      card number, debitcard, payment card number, bank card number, cc number,
      ccnumber, ccnum, cc num, cc no, card pan, primary account number, cvv, cvc, cvv number, cvc number, digits on the back, code on the back, number on the back, digit code of your card, digit code of the card, cv 2, cvn, card verification value, card
      verification number, card verification, card security number, payment card, bank card, bankcard, card details, card
      detail, card information, card info, card data, payment credential, cc cvv, cccvv`,
  },
  {
    kind: 'card',
    before: 'number of your, number of the',
    phrases: 'card, credit card, debit card, visa card, bank card',
  },
  {
    kind: 'secret',
    before: `gh, github, git hub, gitlab, azure, devops, dev ops, ado, docker, dockerhub, docker hub, asana, jira, bitbucket, airtable,
      databricks, snowflake`,
    phrases: 'pat',
  },
  {
    kind: 'secret',
    before: 'wallet, recovery, metamask, ledger, trezor, phantom, bip39, bip 39, hd',
    phrases: 'seed',
  },
  { kind: 'code', phrases: 'code, confirmation code, digits' },
  {
    kind: 'whole',
    phrases: 'pass, pat, bearer, bearer auth, basic auth, mfa, 2 fa, mfa pin, cookie, userpass, dbpass',
  },
  { kind: 'harmless', phrases: 'pin, pin code, pincode, pin number', before: TRADES_OF_PINS },
  {
    kind: 'harmless',
    phrases: 'pin, pin code, pincode',
    before: 'postal, area, zip, city, delivery, shipping, address, indian, district',
  },
  { kind: 'harmless', phrases: 'token, tokens', before: TRADES_OF_TOKENS },
  {
    kind: 'harmless',
    phrases: `token in, token out, token a, token b, token to swap, token to buy, token to sell, token to trade, token to
      send, token to stake, token to mint, token to burn, secret to, public api key, public key, ssh public key, public ssh
      key, 1 password, one password, passwordless, forgot password, forgotten password, lost password, digit code of, credential helper, mnemonic device, e mail`,
  },
  {
    kind: 'harmless',
    phrases: 'card number, card no, card details, card info, card data',
    before: TRADES_OF_CARDS,
  },
  { kind: 'harmless', phrases: 'code', before: TRADES_OF_CODES },
  {
    kind: 'harmless',
    before: 'secret',
    phrases: `santa, sauce, recipe, ingredient, agent, admirer, garden, menu, service, society, level, ballot, shopper,
      identity, weapon, passage, door, ending, boss`,
  },
  { kind: 'harmless', before: 'trade, top, open, victoria, victoria s, best kept', phrases: 'secret' },
  {
    kind: 'harmless',
    before: 'professional, academic, teaching, medical, educational, press, verifiable, journalist, degree',
    phrases: 'credential, credentials',
  },
];
