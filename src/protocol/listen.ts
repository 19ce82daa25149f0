import { JSON_RPC_VERSION, META_SUBSCRIPTION_ID, RESULT_COMPLETE } from './constants.js';
import type { MessageId } from './messages.js';

/** The response that ends a subscriptions/listen stream on purpose (basic/patterns/subscriptions#graceful-closure). */
export function closingResult({ text }: MessageId): string {
  return `{"jsonrpc":"${JSON_RPC_VERSION}","id":${text},"result":{"resultType":"${RESULT_COMPLETE}","_meta":{"${META_SUBSCRIPTION_ID}":${text}}}}`;
}
