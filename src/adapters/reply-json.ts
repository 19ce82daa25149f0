/** The reply to a request whose answer is one body: collected, judged, rewritten, written. */

import { passesAsLegacy } from '../engine/exchange.js';
import { outbound } from '../gateway.js';
import { readErrorAnswer } from '../protocol/error-answer.js';
import { isUtf8, parseMediaType } from '../protocol/media-type.js';
import { type Reading, readResponse } from '../protocol/reading.js';
import { faultReading } from '../protocol/received.js';
import type { Answer } from './answer.js';
import { ClientGone } from './body.js';
import { type Collected, collect } from './collect.js';
import { replyFields } from './fields.js';
import {
  EVENT_STREAM_TYPE,
  JSON_TYPE,
  overBudget,
  type ReplyContext,
  writeRefusal,
  writeWhole,
  written,
} from './reply.js';

/** Undefined when the reply is written; resolves when it is. Throws or rejects with UpstreamTrouble. */
export function replyJson(answer: Answer, context: ReplyContext): Promise<void> | undefined {
  const { limits, timeouts } = context;
  if (context.expects === 'nothing' && answer.status < 300) return accepted(answer, context);
  if (answer.status >= 300 && answer.status < 400) {
    answer.abort();
    return replyWith(undefined, answer, context);
  }
  const within = { bytes: limits.responseBytes, idleMs: timeouts.bodyIdleMs };
  const body = collect(answer, within, context.budget);
  // Most answers have come whole with their head: nothing has to be waited for.
  if (!(body instanceof Promise)) return replyWith(body, answer, context);
  return body.then((late) => {
    const bytes = late.kind === 'bytes' ? late.bytes.length : 0;
    return context.budget.pool.turns.take(bytes, () => {
      if (context.res.destroyed) throw new ClientGone('the client left before its reply could be read');
      return replyWith(late, answer, context);
    });
  });
}

/** `body` is undefined for an answer that is given up. */
function replyWith(body: Collected | undefined, answer: Answer, context: ReplyContext): undefined {
  const { res, ledger, exchange, budget } = context;
  ledger.upstreamEnded();
  const reading = body === undefined ? faultReading('redirect') : read(answer, body, context);
  if (reading === undefined) {
    writeRefusal(res, overBudget(context), context.origin);
    return;
  }
  const passage = outbound(ledger, exchange, {
    reading,
    status: answer.status,
    stream: false,
    acknowledged: false,
  });
  budget.giveValues();
  if (passage.kind === 'refuse') {
    writeRefusal(res, passage.refusal, context.origin);
    return;
  }
  const fields = replyFields(answer.headers, passesAsLegacy(exchange), context.origin);
  const sent = passage.kind === 'send' ? (passage.text ?? written(reading)) : undefined;
  writeWhole(res, answer.status, fields, sent);
}

/** Any 2xx to a notification is 202 without body (basic/transports/streamable-http#sending-messages); to a DELETE, itself. */
function accepted(answer: Answer, { res, ledger, exchange, origin }: ReplyContext): undefined {
  answer.abort();
  ledger.outcome = 'ok';
  const fields = replyFields(answer.headers, passesAsLegacy(exchange), origin).filter(
    (_, index, all) => all[index & ~1] !== 'content-type',
  );
  writeWhole(res, exchange.message.method === '' ? answer.status : 202, fields, undefined);
}

/** Undefined: it cannot be held. */
function read(answer: Answer, body: Collected, { exchange, budget }: ReplyContext): Reading | undefined {
  if (body.kind === 'over-budget') return undefined;
  if (body.kind === 'fault') return faultReading(body.fault);
  const type = parseMediaType(answer.headers.one('content-type') ?? '');
  const json = type?.type === JSON_TYPE;
  if (answer.status >= 300 && type?.type === EVENT_STREAM_TYPE) return faultReading('media-type');
  if (answer.status >= 300) return readErrorAnswer(body.bytes, json, exchange.message.id, budget);
  if (!json) return faultReading(body.bytes.length === 0 ? 'empty' : 'media-type');
  return isUtf8(type) ? readResponse(body.bytes, budget) : faultReading('charset');
}
