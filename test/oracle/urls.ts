/** URLs by examples: of any other the oracle does not judge. */
import { type Answer, isText, type Json } from './values.js';

export const GOOD_URLS = [
  'https://mcp.example.com/ui/connect',
  'https://example.com/authorize?state=abc&client=7',
  'https://xn--bcher-kva.example/a%20b',
  'http://127.0.0.1:8080/start',
];
export const BAD_URLS = [
  ...['', '/relative', 'javascript:alert(1)', 'ftp://example.com/', 'https://', 'mailto:a@example.com'],
  ...['https://user:word@example.com/', 'https://user@example.com/', 'https://exa mple.com/'],
  ...['https://example.com/?access_token=abc', 'https://example.com/#password=abc', ' https://example.com/'],
  ...['https:\\\\example.com\\', 'data:text/html,hi', 'https://b\u00fccher.example/'],
];

export function urlFaulty(url: Json | undefined): Answer {
  if (!isText(url) || BAD_URLS.includes(url)) return 'yes';
  return GOOD_URLS.includes(url) || /^http:\/\/(example|mcp)\.com\/$/.test(url) ? 'no' : 'maybe';
}

export function urlIsPlain(url: Json | undefined): boolean {
  return isText(url) && url.startsWith('http:') && !url.startsWith('http://127.0.0.1');
}
