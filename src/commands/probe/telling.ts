/** What a client's exchanges come to, as events and as an exit status. */
import { isUtf8 } from 'node:buffer';
import { type Outcome, outcomeOf } from '../../client/outcome.js';
import type { Heard, RecordedExchange, Trouble } from '../../client/record.js';
import type { Outgoing } from '../../client/request.js';
import type { Watcher } from '../../client/send.js';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  readClientMessage,
} from '../../protocol/messages.js';
import { targetOf } from '../../protocol/mirrored.js';
import { FAULT_WORDS } from '../../protocol/reading.js';
import { EXITS, type Reporter } from './events.js';

export class Telling {
  readonly #reporter: Reporter;
  readonly watcher: Watcher;
  worst: number = EXITS.complete;

  constructor(reporter: Reporter, { raw }: { readonly raw: boolean }) {
    this.#reporter = reporter;
    this.watcher = {
      request: (outgoing) => this.#sent(outgoing),
      heard: (heard) => this.heard(heard),
      ...(raw && { wire: (direction, bytes) => reporter.report({ event: 'wire', direction, bytes }) }),
    };
  }

  exit(status: number): void {
    this.worst = Math.max(this.worst, status);
  }

  note(message: string): void {
    this.#reporter.report({ event: 'note', problem: false, message });
  }

  problem(message: string, status: number): void {
    this.#reporter.report({ event: 'note', problem: true, message });
    this.exit(status);
  }

  #sent({ method, id, body }: Outgoing): void {
    const { params } = readClientMessage(JSON.parse(body.toString()) as JsonObject, () => '');
    const { _meta, ...own } = params;
    const target = targetOf({ method, params } as never);
    this.#reporter.report({
      event: 'request',
      id: id ?? '',
      method,
      target: target === '' ? undefined : target,
      params: own,
    });
  }

  /** Messages that come before a response. */
  heard({ message }: Heard): void {
    if (message?.kind === 'notification') {
      const { method, params } = message;
      this.#reporter.report({ event: 'notification', method, params });
    } else if (message?.kind === 'request') {
      this.#reporter.report({ event: 'server_request', method: message.method });
      this.exit(EXITS.refused);
    }
  }

  ended(record: RecordedExchange, outcome: Outcome): void {
    const { status = 0, request } = record;
    const report = this.#reporter.report;
    switch (outcome.kind) {
      case 'input_required': {
        const carriesState = outcome.requestState !== undefined;
        report({ event: 'input_required', status, requests: outcome.asked, carriesState });
        break;
      }
      case 'error': {
        const { code, message, data } = outcome.error;
        report({ event: 'error', status, code, message, data });
        break;
      }
      case 'http':
        report({ event: 'http', status, body: textOf(record.body) });
        break;
      case 'unanswered':
        report({ event: 'unanswered', status, message: whyUnanswered(record, outcome.fault) });
        break;
      case 'trouble':
        this.#troubled(outcome.trouble);
        break;
      default:
        report({ event: 'result', status, method: request.method, result: outcome.result });
    }
    this.exit(exitOf(outcome));
    if (record.leftOpen) this.note('the server left the stream open after its response');
  }

  /** A subscription that was left when its time was up ended as it should. */
  listened(record: RecordedExchange): void {
    const outcome = outcomeOf(record);
    if (outcome.kind === 'trouble' && outcome.trouble.kind === 'stopped') {
      if (record.heard.length === 0) this.problem('the subscription was never acknowledged', EXITS.refused);
    } else if (outcome.kind === 'unanswered' && record.stream)
      this.problem('the server ended the subscription without a response', EXITS.refused);
    else this.ended(record, outcome);
  }

  #troubled({ kind, code, message }: Trouble): void {
    this.#reporter.report({ event: 'trouble', kind, code, message });
  }
}

function exitOf(outcome: Outcome): number {
  switch (outcome.kind) {
    case 'complete':
      return isFailure(outcome.result) ? EXITS.failed : EXITS.complete;
    case 'input_required':
    case 'task':
      return EXITS.complete;
    case 'trouble':
      return troubleExit(outcome.trouble);
    default:
      return EXITS.refused;
  }
}

/** A tool's own failure, also as a task's stored result. */
function isFailure(result: JsonObject): boolean {
  const stored: JsonValue | undefined = member(result, 'result');
  return member(result, 'isError') === true || (isObject(stored) && member(stored, 'isError') === true);
}

function troubleExit({ kind }: Trouble): number {
  if (kind === 'stopped') return EXITS.complete;
  return kind === 'not-http' || kind === 'too-large' ? EXITS.refused : EXITS.absent;
}

function whyUnanswered(
  { heard, stream }: RecordedExchange,
  fault: keyof typeof FAULT_WORDS | undefined,
): string {
  if (fault !== undefined) return `the answer cannot be read: ${FAULT_WORDS[fault]}`;
  if (heard.some(({ message }) => message?.kind === 'response'))
    return 'the response carries another id than the request';
  return stream ? 'the stream ended without a response' : 'the answer is no JSON-RPC response';
}

function textOf(body: Buffer): string {
  return isUtf8(body) ? body.toString() : `${body.length} bytes that are no text`;
}
