/** The reply to a request whose answer is one body: collected, judged, rewritten, written. */

import { passesAsLegacy } from '../engine/exchange.js';
import { plainRefusal } from '../engine/refusal.js';
import { outbound } from '../gateway.js';
import { readErrorAnswer } from '../protocol/error-answer.js';
import { isUtf8, parseMediaType } from '../protocol/media-type.js';
import type { MessageId } from '../protocol/messages.js';
import { type ReadFault, type Reading, readResponse } from '../protocol/reading.js';
import { faultReading } from '../protocol/received.js';
import { collect } from './collect.js';
import { replyFields } from './fields.js';
import type { Answer } from './forward.js';
import { EVENT_STREAM_TYPE, JSON_TYPE, type ReplyContext, writeRefusal, writeWhole } from './reply.js';

/** Resolves when the reply is written; rejects with UpstreamTrouble. */
export async function replyJson(answer: Answer, context: ReplyContext): Promise<void> {
  const { res, ledger, exchange, limits, timeouts } = context;
  if (context.expects === 'nothing' && answer.status < 300) return accepted(answer, context);
  const redirect = answer.status >= 300 && answer.status < 400;
  if (redirect) answer.abort();
  const within = { bytes: limits.responseBytes, idleMs: timeouts.bodyIdleMs };
  const collected = redirect ? undefined : collect(answer, within, context.budget);
  // Most answers have come whole with their head: those are not waited for.
  const body = collected instanceof Promise ? await collected : collected;
  ledger.upstreamEnded();
  if (body?.kind === 'over-budget') {
    ledger.outcome = 'upstream_failed';
    writeRefusal(
      res,
      plainRefusal('overLimit', 'the gateway holds too many bytes at once', exchange.message.id),
      context.origin,
    );
    return;
  }
  const reading = body === undefined ? faultReading('redirect') : read(answer, body, exchange.message.id);
  const passage = outbound(ledger, exchange, {
    reading,
    status: answer.status,
    stream: false,
    acknowledged: false,
  });
  if (passage.kind === 'refuse') return writeRefusal(res, passage.refusal, context.origin);
  const fields = replyFields(answer.headers, passesAsLegacy(exchange), context.origin);
  const sent = passage.kind === 'send' ? (passage.text ?? reading.bytes) : undefined;
  writeWhole(res, answer.status, fields, sent);
}

/** Any 2xx to a notification is 202 without body (basic/transports/streamable-http#sending-messages); to a DELETE, itself. */
function accepted(answer: Answer, { res, ledger, exchange, origin }: ReplyContext): void {
  answer.abort();
  ledger.outcome = 'ok';
  const fields = replyFields(answer.headers, passesAsLegacy(exchange), origin).filter(
    (_, index, all) => all[index & ~1] !== 'content-type',
  );
  writeWhole(res, exchange.message.method === '' ? answer.status : 202, fields, undefined);
}

type Body =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'fault'; readonly fault: ReadFault };

function read(answer: Answer, body: Body, id: MessageId | undefined): Reading {
  if (body.kind === 'fault') return faultReading(body.fault);
  const type = parseMediaType(answer.headers.one('content-type') ?? '');
  const json = type?.type === JSON_TYPE;
  if (answer.status >= 300 && type?.type === EVENT_STREAM_TYPE) return faultReading('media-type');
  if (answer.status >= 300) return readErrorAnswer(body.bytes, json, id);
  if (!json) return faultReading(body.bytes.length === 0 ? 'empty' : 'media-type');
  return isUtf8(type) ? readResponse(body.bytes) : faultReading('charset');
}
