import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUrlFault, readWebUrl } from '../../src/protocol/urls.js';

const asksNothing = () => false;

describe('readWebUrl', () => {
  it.each([
    'https://mcp.example.com',
    'https://mcp.example.com/ui/set_api_key',
    'HTTPS://MCP.Example.COM:8443/Connect?id=1#top',
    'https://xn--bcher-kva.example/',
    'https://192.0.2.7:8443/',
    'https://[2001:db8::1]/x',
    'https://a_b.example./?q=%C3%A9&r=(1)',
    'http://localhost:3000/form?session=9f2&elicitation=4',
    'https://as.example/authorize?redirect_uri=https%3A%2F%2Fmcp.example%2Fcb',
  ])('reads %s', (text) => {
    expect(readWebUrl(text)).toBeDefined();
  });

  it.each([
    ['nothing', ''],
    ['a path', '/connect'],
    ['no scheme', 'mcp.example.com/connect'],
    ['a scheme-relative URL', '//mcp.example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,hi'],
    ['a file', 'file:///etc/passwd'],
    ['another scheme', 'ftp://mcp.example.com/'],
    ['a scheme that a browser is told to view', 'view-source:https://mcp.example.com/'],
    ['no host', 'https://'],
    ['an empty host before a path', 'https:///mcp.example.com/'],
    ['an empty host before a port', 'https://:443/'],
    ['a host of dots', 'https://../'],
    ['an empty label', 'https://mcp..example/'],
    ['a host longer than names are', `https://${'a'.repeat(300)}.example/`],
    ['one slash', 'https:/mcp.example.com/'],
    ['no slash', 'https:mcp.example.com'],
    ['backslashes', 'https:\\\\mcp.example.com/'],
    ['a backslash after the slash', 'https:/\\mcp.example.com/'],
    ['a backslash in the authority', 'https://mcp.example.com\\@evil.example/'],
    ['a leading space', ' https://mcp.example.com/'],
    ['a trailing space', 'https://mcp.example.com/ '],
    ['a space within', 'https://mcp.example.com/a b'],
    ['a tab in the scheme', 'ht\ttps://mcp.example.com/'],
    ['a line feed in the host', 'https://mcp.exam\nple.com/'],
    ['a trailing line feed', 'https://mcp.example.com/\n'],
    ['a control character', 'https://mcp.example.com/\u0000'],
    ['letters of other scripts in the host', 'https://mcp.exаmple.com/'],
    ['a full-width slash', 'https://mcp.example.com／.evil.example/'],
    ['an ideographic full stop', 'https://mcp。example/'],
    ['a text direction override', 'https://mcp.example.com/\u202Egpj.exe'],
    ['an encoded host', 'https://%6dcp.example.com/'],
    ['an encoded at sign in the host', 'https://mcp.example.com%40evil.example/'],
    ['a semicolon in the host', 'https://mcp.example.com;evil.example/'],
    ['an address as one number', 'https://2130706433/'],
    ['an address in hexadecimal', 'https://0x7f.0.0.1/'],
    ['an address in octal', 'https://0177.0.0.1/'],
    ['a short address', 'https://127.1/'],
    ['an impossible address', 'https://256.1.1.1/'],
    ['an unclosed address', 'https://[::1/'],
    ['an address with a zone', 'https://[fe80::1%25eth0]/'],
    ['a port that is no number', 'https://mcp.example.com:https/'],
    ['a port beyond all ports', 'https://mcp.example.com:65536/'],
    ['a broken escape', 'https://mcp.example.com/%zz'],
    ['an escape that goes on in the query', 'https://mcp.example.com/%4?1=1'],
    ['an escape that goes on in the fragment', 'https://mcp.example.com/?%4#1'],
    ['a template', 'https://mcp.example.com/{id}'],
    ['a second at sign', 'https://a@b@evil.example/'],
    ['brackets outside of the host', 'https://mcp.example.com/?ids[]=1'],
    ['a second fragment', 'https://mcp.example.com/#a#b'],
    ['quotes', 'https://mcp.example.com/"onclick="x'],
  ])('does not read %s', (_, text) => {
    expect(readWebUrl(text)).toBeUndefined();
  });

  it.each([
    ['http://localhost:3000/', true],
    ['http://LOCALHOST/', true],
    ['http://127.0.0.1/', true],
    ['http://127.255.0.9:80/', true],
    ['http://[::1]:8080/', true],
    ['http://[0:0:0:0:0:0:0:1]/', true],
    ['http://localhost.evil.example/', false],
    ['http://evil.example/localhost', false],
    ['http://127.0.0.1.evil.example/', false],
    ['http://mylocalhost/', false],
    ['http://10.0.0.1/', false],
    ['http://0.0.0.0/', false],
    ['http://[::]/', false],
    ['http://[::2]/', false],
  ])('%s leads to the loopback host: %s', (text, loopback) => {
    expect(readWebUrl(text)).toMatchObject({ https: false, loopback });
  });

  it('reads only what the revision calls a URI', () => {
    const uri = fullFormats.uri as (text: string) => boolean;
    const piece = fc.oneof(
      fc.constantFrom('https', 'HTTP', ':', '//', '/', '\\', '@', '?', '#', '%', '%41', '[::1]', '127.0.0.1'),
      fc.constantFrom('mcp.example', 'localhost', ':443', '.', ' ', '\t', 'é', '{', '&', '=', ';', '+', '|'),
    );
    const texts = fc
      .tuple(fc.constantFrom('https://', 'http://', 'https:/', ''), fc.array(piece, { maxLength: 7 }))
      .map(([start, rest]) => start + rest.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const url = readWebUrl(text);
        if (url === undefined) return;
        expect(uri(text)).toBe(true);
        expect(new URL(text).protocol).toBe(url.https ? 'https:' : 'http:');
        expect(new URL(text).username === '' || url.userInformation).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('findUrlFault', () => {
  it.each([
    'https://user@mcp.example.com/',
    'https://user:pw@mcp.example.com/',
    'https://:pw@mcp.example.com/',
    'https://@mcp.example.com/',
    'https://mcp.example.com@evil.example/',
    'https://mcp.example.com%2f@evil.example/',
  ])('finds user information in %s', (text) => {
    expect(findUrlFault(text, asksNothing)).toBe('user-information');
  });

  it.each([
    'https://mcp.example.com/?token=abc',
    'https://mcp.example.com/?id=1&access_token=abc',
    'https://mcp.example.com/?id=1;api-key=abc',
    'https://mcp.example.com/?%74oken=abc',
    'https://mcp.example.com/?Access%5FToken=abc',
    'https://mcp.example.com/?token%5B%5D=abc',
    'https://mcp.example.com/?%EF%BD%94oken=abc',
    'https://mcp.example.com/#access_token=abc&state=x',
    'https://mcp.example.com/#/login?password=abc',
    'https://mcp.example.com/?client_id=a&client_secret=b',
    'https://mcp.example.com/?id_token_hint=abc',
    'https://files.example/doc?X-Amz-Algorithm=A&X-Amz-Signature=abc',
    'https://files.example/doc?X-Goog-Credential=abc',
    'https://mcp.example.com/?token=%FF',
    'https://files.example/doc?sv=2024-08-04&se=2026-12-01&sr=b&sp=r&sig=abc%3D',
    'https://cdn.example/doc?Expires=1&Signature=abc&Key-Pair-Id=K2',
    'https://files.example/doc?AWSAccessKeyId=A&Signature=abc&Expires=1',
    'https://files.example/doc?GoogleAccessId=a&Expires=1&Signature=abc',
    'https://mcp.example.com/cart;jsessionid=0AAB',
    'https://mcp.example.com/shop;v=1;JSESSIONID=0AAB/cart?id=1',
    'https://mcp.example.com/shop;v=1/cart;access_token=abc',
  ])('finds a credential in %s', (text) => {
    expect(findUrlFault(text, asksNothing)).toBe('credential');
  });

  it.each([
    'https://mcp.example.com/connect?elicitation=4f1&sig=9a',
    'https://mcp.example.com/set_api_key?service=github',
    'https://mcp.example.com/token/new',
    'https://mcp.example.com/?token=',
    'https://mcp.example.com/?token',
    'https://mcp.example.com/?field=api_key',
    'https://mcp.example.com/?token_count=3&keyword=x&author=y',
    'https://mcp.example.com/?session=9f2',
    'https://mcp.example.com/#tokens',
    'https://mcp.example.com/?q=a@b.example',
    'https://as.example/authorize?response_type=code&client_id=a&state=b&nonce=c&scope=d&code_challenge=e',
    'https://as.example/device?user_code=ABCD-EFGH',
    'https://mcp.example.com/?constructor=a&__proto__=b',
    'https://mcp.example.com/?x=%FF',
    'https://forum.example/session/sso?sso=abc&sig=def',
    'https://mcp.example.com/?signature=abc&sv=1',
    'https://mcp.example.com/map;zoom=3/token/new;v=1?id=1',
  ])('finds nothing in %s', (text) => {
    expect(findUrlFault(text, asksNothing)).toBeUndefined();
  });

  it('takes the words of the route for credentials, other than the public parameters of OAuth', () => {
    const asks = (name: string) => /code|kennwort/i.test(name);
    expect(findUrlFault('https://mcp.example.com/?Kennwort=abc', asks)).toBe('credential');
    expect(findUrlFault('https://mcp.example.com/?code_challenge=abc&user_code=d', asks)).toBeUndefined();
  });

  it('finds that a text is no absolute URL', () => {
    expect(findUrlFault('connect?token=abc', asksNothing)).toBe('not-absolute');
  });
});
