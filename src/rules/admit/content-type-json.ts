import type { Rule } from '../../engine/rule.js';
import { HEADER_CONTENT_ENCODING, HEADER_CONTENT_TYPE } from '../../protocol/constants.js';
import { isUtf8, parseMediaType } from '../../protocol/media-type.js';

export const contentTypeJson: Rule<'admit'> = {
  id: 'content-type-json',
  stage: 'admit',
  guarantees: 'A message is `application/json` in UTF-8, without a content coding.',
  clause: {
    source: 'gateway policy',
    keyword: 'MUST',
    quote:
      'In another media type, charset or coding the bytes judged here could say something else to the server.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  locked: 'the gateway judges JSON in UTF-8 alone, and a browser sends other types to foreign sites unasked',
  remedy: { refuse: 'unsupportedMediaType' },
  check({ headers, carriesMessage }) {
    if (!carriesMessage) return undefined;
    const mediaType = parseMediaType(headers.one(HEADER_CONTENT_TYPE) ?? '');
    if (mediaType?.type !== 'application/json' || !isUtf8(mediaType)) {
      return {
        at: HEADER_CONTENT_TYPE,
        message: 'Unsupported media type: Content-Type must be application/json in UTF-8',
      };
    }
    if (headers.has(HEADER_CONTENT_ENCODING)) {
      return {
        at: HEADER_CONTENT_ENCODING,
        message: 'Unsupported media type: Content-Encoding is not accepted',
      };
    }
    return undefined;
  },
};
