import type { Exchange } from '../../../src/engine/exchange.js';
import { paramHeadersLegal } from '../../../src/rules/inbound/param-headers-legal.js';
import { judges, PEER_VALUE } from '../cases.js';
import { exchange } from '../fixtures.js';

const param = (...values: string[]): Exchange => exchange({ headers: { 'Mcp-Param-Region': values } });

judges(paramHeadersLegal, {
  refuses: [
    ['octets beyond ASCII', param('Z\u00fcrich'), 'mcp-param-region'],
    ['a control character', param(`${PEER_VALUE}\u0007`), 'mcp-param-region'],
    ['Base64 of other letters', param('=?base64?c2Vh*mNo?='), 'mcp-param-region'],
    ['Base64 without its padding', param('=?base64?YQ?='), 'mcp-param-region'],
    ['Base64 of bytes that are not UTF-8', param('=?base64?/w==?='), 'mcp-param-region'],
    ['a fault in a repeated line', param('eu', '\u00fc'), 'mcp-param-region'],
  ],
  passes: [
    ['a request without parameter headers', exchange()],
    ['plain ASCII', param('us-west1')],
    ['an empty value', param('')],
    ['inner white space', param('a b\tc')],
    ['a valid sentinel', param('=?base64?SGVsbG8sIOS4lueVjA==?=')],
    ['an upper-case marker, which is a literal', param('=?BASE64?*?=')],
    ['odd octets in other headers', exchange({ headers: { 'x-note': '\u00fc', 'x-mcp-param-a': '\u00fc' } })],
  ],
});
