import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { urlValid } from '../../../src/rules/outbound/url-valid.js';
import { event, exchange, inputRequired, policy } from '../fixtures.js';

const AT = '/result/inputRequests/q/params/url';

function ask(url: JsonValue, params: JsonObject = {}): JsonObject {
  return { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in', url, ...params } };
}

describe('url-valid', () => {
  it.each<[JsonValue, string]>([
    ['', 'url is not an absolute http or https URL'],
    ['/connect', 'url is not an absolute http or https URL'],
    ['javascript:alert(1)', 'url is not an absolute http or https URL'],
    ['https:/\\mcp.example.com', 'url is not an absolute http or https URL'],
    [' https://mcp.example.com', 'url is not an absolute http or https URL'],
    [null, 'url is not an absolute http or https URL'],
    ['https://hunter2@mcp.example.com/', 'url carries user information before its host'],
    ['https://mcp.example.com@evil.example/', 'url carries user information before its host'],
    ['https://mcp.example.com/?access_token=hunter2', 'url carries a credential in its query or fragment'],
    ['https://mcp.example.com/#access_token=hunter2', 'url carries a credential in its query or fragment'],
  ])('refuses %j and quotes none of it', (url, message) => {
    expect(urlValid.check(inputRequired({ q: ask(url) }))).toEqual({ at: AT, message });
  });

  it.each([
    'https://mcp.example.com/ui/set_api_key',
    'http://mcp.example.com/',
    'http://localhost:3000/form?session=9f2&elicitation=4',
    'https://as.example/authorize?response_type=code&client_id=a&state=b&code_challenge=c&nonce=d',
  ])('passes %s', (url) => {
    expect(urlValid.check(inputRequired({ q: ask(url) }))).toBeUndefined();
  });

  it('knows the words that the route takes for credentials', () => {
    const credentials = { ...policy().credentials, nameAsks: (name: string) => name === 'kennwort' };
    const judged = exchange({ policy: policy({ credentials }) });
    const asked = inputRequired({ q: ask('https://mcp.example.com/?kennwort=x') }, { exchange: judged });
    expect(urlValid.check(asked)?.at).toBe(AT);
  });

  it('leaves what is no URL elicitation alone', () => {
    expect(urlValid.check(inputRequired({ q: ask('nowhere', { mode: 'form' }) }))).toBeUndefined();
    expect(urlValid.check(inputRequired({ q: ask('nowhere', { mode: 'voice' }) }))).toBeUndefined();
    const bare = { method: 'elicitation/create', params: { mode: 'url', message: 'No URL' } };
    expect(urlValid.check(inputRequired({ q: bare, r: null, s: { method: 'roots/list' } }))).toBeUndefined();
  });

  it('judges what a task asks for', () => {
    const told = event('notifications/tasks', { taskId: 't', inputRequests: { q: ask('nowhere') } });
    expect(urlValid.check(told)?.at).toBe('/params/inputRequests/q/params/url');
  });
});
