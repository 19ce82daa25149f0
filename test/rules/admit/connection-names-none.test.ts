import type { AdmitInput } from '../../../src/engine/exchange.js';
import { connectionNamesNone } from '../../../src/rules/admit/connection-names-none.js';
import { judges } from '../cases.js';
import { admitInput } from '../fixtures.js';

const naming = (connection: string | string[]): AdmitInput => admitInput({ headers: { connection } });

judges(connectionNamesNone, {
  refuses: [
    ['Mcp-Method', naming('Mcp-Method'), 'connection'],
    ['the protocol version', naming('keep-alive, MCP-Protocol-Version'), 'connection'],
    ['a parameter header', naming('close,mcp-param-region'), 'connection'],
    ['Authorization in any case', naming('AUTHORIZATION'), 'connection'],
    ['Content-Type', naming('content-type'), 'connection'],
    ['Content-Length', naming('Content-Length , close'), 'connection'],
    ['Host', naming('close, host'), 'connection'],
    ['a name in a later line', naming(['close', 'Mcp-Name']), 'connection'],
  ],
  passes: [
    ['no Connection header', admitInput()],
    ['keep-alive', naming('keep-alive')],
    ['close and an own hop-by-hop field', naming('close, X-Trace-Hop')],
    ['empty members', naming(', ,')],
    ['a name that only contains one', naming('x-mcp-name, x-content-type')],
  ],
});
