/** Holds the answers of an exchange against every outbound rule, and against what was expected of it. */
import type { RecordedExchange } from '../client/record.js';
import type { OutboundInput } from '../engine/exchange.js';
import type { RoutePolicy } from '../engine/policy.js';
import { recallExchange } from '../engine/recall.js';
import { isNoMessage, outboundInput } from '../engine/received.js';
import { HeaderFields } from '../protocol/headers.js';
import { readRequest } from '../protocol/reading.js';
import type { Known, Seen } from './known.js';
import { OCCASIONS } from './occasions.js';

/** What one exchange says of one rule; without a fault the rule was kept. */
export interface Saying {
  readonly rule: string;
  readonly fault?: Fault;
}

export interface Fault {
  readonly at: string;
  readonly message: string;
  /** A recommendation was not followed, whatever the rule's own keyword is. */
  readonly mild?: true;
}

export function judge(seen: Seen, known: Known): readonly Saying[] {
  return [
    ...judgeMessages(seen.record, known.policy),
    ...judgeExpectation(seen, known),
    ...judgeStream(seen),
  ];
}

/** Every rule is asked, where the gateway would stop at the first that refuses. */
function judgeMessages(record: RecordedExchange, policy: RoutePolicy): readonly Saying[] {
  const { request, timings, heard } = record;
  const exchange = recallExchange(
    // A server may speak earlier revisions too: what it then says is not held against this one.
    { ...policy, legacy: 'pass' },
    {
      reading: readRequest(request.body),
      headers: new HeaderFields(request.headers.flat()),
      now: timings.startedAt,
    },
  );
  const sayings: Saying[] = [];
  for (const received of heard) {
    const input = outboundInput(exchange, received);
    if (!(received.stream && isNoMessage(input))) sayings.push(...judgeMessage(input));
  }
  return sayings;
}

function judgeMessage(input: OutboundInput): readonly Saying[] {
  return input.exchange.policy.rules.outbound.flatMap(({ rule }) => {
    const fault = rule.check(input);
    if (fault !== undefined) return [{ rule: rule.id, fault: { at: fault.at, message: fault.message } }];
    return OCCASIONS.get(rule.id)?.(input) === true ? [{ rule: rule.id }] : [];
  });
}

function judgeExpectation(seen: Seen, known: Known): readonly Saying[] {
  const { expects } = seen.entry;
  if (expects === undefined) return [];
  const remark = expects.judge(seen, known);
  if (remark === 'nothing') return [];
  return [remark === 'kept' ? { rule: expects.rule } : { rule: expects.rule, fault: remark }];
}

/** What the client noticed of the way in which the answer came. */
function judgeStream({ record }: Seen): readonly Saying[] {
  const sayings: Saying[] = [];
  if (record.stream && record.response !== undefined) {
    const rule = 'stream-ends-with-response';
    const fault = { at: '', message: 'the server left a stream open after the response' };
    sayings.push(record.leftOpen ? { rule, fault } : { rule });
  }
  const kind = record.trouble?.kind;
  if (kind === 'cut' || kind === 'not-http' || kind === 'too-large') {
    const message = `the answer is not whole: ${record.trouble?.message ?? ''}`;
    sayings.push({ rule: 'response-readable', fault: { at: '', message } });
  }
  return sayings;
}
