/** URLs that a server sends a user to (client/elicitation#safe-url-handling). */

/** Why a text is not a URL to send a user to. */
export type UrlFault = 'not-absolute' | 'user-information' | 'credential';

export interface WebUrl {
  readonly https: boolean;
  /** The host is the user's own machine by its name or address. */
  readonly loopback: boolean;
  /** A name, and perhaps a password, stand before the host. */
  readonly userInformation: boolean;
  /** Names of the parameters in path, query and fragment that have a value, decoded. */
  readonly parameters: readonly string[];
}

// RFC 3986, narrower than what browsers repair: they drop tabs, turn `\` into `/` and skip missing or surplus slashes.
const WEB_URL = /^(https?):\/\/(?:([^/?#@]*)@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?(?:#([^#]*))?$/i;
const ILLEGAL = /[^\w.~:/?@!$&'()*+,;=%-]|%(?![\da-f]{2})/i;
const HOST_AND_PORT = /^((?:[\w-]+\.)*[\w-]+\.?|\[[\da-f:.]+\])(?::\d*)?$/i;
const MAX_HOST_AND_PORT = 260;
const IPV4_LOOPBACK = /^127\.\d+\.\d+\.\d+$/;

/** Parameters by which others sign in: bearer values, session cookies in disguise, pre-signed requests. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...[
    'token',
    'accesstoken',
    'refreshtoken',
    'idtoken',
    'idtokenhint',
    'authtoken',
    'sessiontoken',
    'apitoken',
  ],
  ...['apikey', 'xapikey', 'accesskey', 'secretkey', 'privatekey', 'secret', 'clientsecret', 'sharedsecret'],
  ...[
    'password',
    'passwd',
    'passphrase',
    'pwd',
    'pass',
    'pin',
    'otp',
    'totp',
    'cvv',
    'credential',
    'credentials',
  ],
  ...['authorization', 'bearer', 'jwt', 'assertion', 'clientassertion', 'samlresponse', 'codeverifier'],
  ...['jsessionid', 'phpsessid', 'aspsessionid', 'aspnetsessionid'],
  ...['xamzsignature', 'xamzcredential', 'xamzsecuritytoken', 'xgoogsignature', 'xgoogcredential'],
  ...['awsaccesskeyid', 'googleaccessid', 'ossaccesskeyid', 'keypairid', 'xosssignature', 'xosscredential'],
]);

/** Of a shared access signature: each alone is also other things, such as the signature of a sign-in's request. */
const SHARED_ACCESS = ['sv', 'sig'] as const;

/** OAuth's public parameters (RFC 6749, 7636, 8628, 9101, OpenID Connect), whatever words their names are made of. */
const PUBLIC: ReadonlySet<string> = new Set([
  ...[
    'clientid',
    'redirecturi',
    'responsetype',
    'responsemode',
    'scope',
    'state',
    'nonce',
    'prompt',
    'audience',
  ],
  ...['codechallenge', 'codechallengemethod', 'requesturi', 'request', 'loginhint', 'acrvalues', 'resource'],
  ...['usercode', 'granttype', 'tokentype', 'tokentypehint', 'clientassertiontype', 'code'],
]);

/** Undefined unless the text is, as it stands, an absolute http or https URL with a plain host. */
export function readWebUrl(text: string): WebUrl | undefined {
  const parts = WEB_URL.exec(text);
  if (parts === null || !URL.canParse(text)) return undefined;
  const [, scheme = '', userInformation, hostAndPort = '', path = '', query = '', fragment = ''] = parts;
  if (hostAndPort.length > MAX_HOST_AND_PORT) return undefined;
  const host = HOST_AND_PORT.exec(hostAndPort)?.[1]?.toLowerCase();
  const others = [userInformation, path, query, fragment];
  if (host === undefined || others.some((part) => ILLEGAL.test(part ?? ''))) return undefined;
  const { hostname } = new URL(text);
  // A host that browsers read as another one (`0x7f.1`, `2130706433`) hides where the user is sent.
  if (hostname !== host && !host.startsWith('[')) return undefined;
  return {
    https: scheme.toLowerCase() === 'https',
    loopback: host === 'localhost' || hostname === '[::1]' || IPV4_LOOPBACK.test(hostname),
    userInformation: userInformation !== undefined,
    parameters: [...pathParameterNames(path), ...parameterNames(query), ...parameterNames(fragment)],
  };
}

/** `nameAsks` adds the words that the route takes for credentials. */
export function findUrlFault(text: string, nameAsks: (name: string) => boolean): UrlFault | undefined {
  const url = readWebUrl(text);
  if (url === undefined) return 'not-absolute';
  if (url.userInformation) return 'user-information';
  const { parameters } = url;
  const signed = SHARED_ACCESS.every((name) => parameters.includes(name));
  return signed || parameters.some((name) => isCredential(name, nameAsks)) ? 'credential' : undefined;
}

function isCredential(name: string, nameAsks: (name: string) => boolean): boolean {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '');
  return CREDENTIALS.has(plain) || (!PUBLIC.has(plain) && nameAsks(name));
}

/** `/shop;jsessionid=…/cart`. */
function pathParameterNames(path: string): string[] {
  const first = path.indexOf(';');
  return first < 0 ? [] : parameterNames(path.slice(first + 1).replaceAll('/', '&'));
}

/** Also those of a fragment that is a path with a query of its own (`#/login?token=…`). */
function parameterNames(text: string): string[] {
  const pairs = new URLSearchParams(text.replaceAll(/[?;]/g, '&'));
  return [...pairs].filter(([, value]) => value !== '').map(([name]) => name);
}
