import type { Rule } from '../../engine/rule.js';
import { HEADER_PARAM_PREFIX } from '../../protocol/constants.js';
import { decodeMirrored } from '../../protocol/headers.js';

export const paramHeadersLegal: Rule<'inbound'> = {
  id: 'param-headers-legal',
  stage: 'inbound',
  guarantees: 'Mcp-Param-* headers hold legal characters, and Base64 where they say so.',
  clause: {
    page: 'basic/transports/streamable-http',
    anchor: 'server-behavior-for-custom-headers',
    keyword: 'MUST',
    quote:
      'Servers MUST reject requests with a recognized `Mcp-Param-{Name}` header that contains invalid characters (see Value Encoding).',
  },
  severity: { spec: 'report', ze: 'report' },
  remedy: { refuse: 'headerMismatch' },
  check({ headers }) {
    const { lines } = headers;
    for (let index = 0; index < lines.length; index += 2) {
      const [name = '', value = ''] = [lines[index], lines[index + 1]];
      if (!name.startsWith(HEADER_PARAM_PREFIX) || decodeMirrored(value) !== undefined) continue;
      return {
        at: name,
        message: 'Header mismatch: an Mcp-Param header holds invalid characters or malformed Base64',
      };
    }
    return undefined;
  },
};
