import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { urlHttps } from '../../../src/rules/outbound/url-https.js';
import { event, inputRequired } from '../fixtures.js';

function ask(url: JsonValue, mode = 'url') {
  return { method: 'elicitation/create', params: { mode, message: 'Sign in', url } };
}

describe('url-https', () => {
  it.each([
    'http://mcp.example.com/',
    'HTTP://mcp.example.com/',
    'http://10.0.0.1/',
    'http://0.0.0.0:3000/',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://mcp.example.com/?next=localhost',
  ])('refuses %s', (url) => {
    expect(urlHttps.check(inputRequired({ q: ask(url) }))).toEqual({
      at: '/result/inputRequests/q/params/url',
      message: 'url is not an https URL and does not lead to the loopback host',
    });
  });

  it.each([
    'https://mcp.example.com/',
    'HTTPS://mcp.example.com/',
    'http://localhost:3000/',
    'http://127.0.0.1:3000/',
    'http://127.3.2.1/',
    'http://[::1]:3000/',
  ])('passes %s', (url) => {
    expect(urlHttps.check(inputRequired({ q: ask(url) }))).toBeUndefined();
  });

  it('leaves what cannot be read to the rule that asks for a valid URL', () => {
    expect(urlHttps.check(inputRequired({ q: ask('ftp://mcp.example.com/'), r: ask(null) }))).toBeUndefined();
  });

  it('leaves what is no URL elicitation alone', () => {
    const asked = { q: ask('http://mcp.example.com/', 'form'), r: { method: 'roots/list' } };
    expect(urlHttps.check(inputRequired(asked))).toBeUndefined();
  });

  it('judges what a task asks for', () => {
    const told = event('notifications/tasks', {
      taskId: 't',
      inputRequests: { q: ask('http://mcp.example.com/') },
    });
    expect(urlHttps.check(told)?.at).toBe('/params/inputRequests/q/params/url');
  });
});
