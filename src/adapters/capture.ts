/** Writes exchanges down, one a line, for `mrtr-gateway inspect`: redacted unless all of it is asked for, and never in the way. */
import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs';
import {
  CAPTURE_VERSION,
  type CapturedAnswer,
  type CapturedBody,
  type CapturedEvent,
  captureBody,
  captureLine,
} from '../capture/format.js';
import { ANSWER, echoesOf, REQUEST } from '../capture/kept.js';
import type { Echoes } from '../capture/redact.js';
import { type Fields, redactHead, wholeHead } from '../capture/redact-head.js';
import type { Capture, CapturedHead, ExchangeCapture } from '../engine/capture.js';
import type { ExchangeSummary } from '../engine/observer.js';
import type { RoutePolicy } from '../engine/policy.js';
import type { Received } from '../engine/received.js';
import type { HeaderFields } from '../protocol/headers.js';
import { MAX_DEPTH, type Reading } from '../protocol/reading.js';
import { clientMessageOf } from '../protocol/received.js';
import { LineWriter } from './log-lines.js';
import type { Notify } from './spent.js';

export interface CaptureOptions {
  readonly file: string;
  /** Every byte, credentials and all. */
  readonly full: boolean;
  /** Told of exchanges that were dropped, and of faults. */
  readonly notify: Notify;
}

export interface CaptureFile {
  readonly begin: Capture;
  /** Resolves when everything is written; gives up after a while. */
  close(): Promise<void>;
}

const FLUSH_MS = 5_000;
/** A stream may last for days. */
const MOST_EVENTS = 1_000;
const MOST_EVENT_BYTES = 1_048_576;
const MOST_FINDINGS = 50;
/** Between two complaints. */
const COMPLAIN_MS = 10_000;

/** Throws as node:fs does when the file cannot be had, and when it is none. */
export function openCapture({ file, full, notify }: CaptureOptions): CaptureFile {
  const fd = openPrivately(file);
  const lines = new LineWriter(fd, (dropped) => captureLine({ capture: CAPTURE_VERSION, dropped }));
  const drops = new Drops(notify);
  const write = (line: string) => {
    if (!lines.write(line)) drops.count();
  };
  return {
    begin: (route, head) => new CapturedRun(route, head, full, write, notify),
    close: async () => {
      await lines.flush(FLUSH_MS);
      drops.complain();
      closeSync(fd);
    },
  };
}

/** Appends, follows no link, waits for no reader of a pipe, and lets nobody else read. */
function openPrivately(file: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('the capture is to be an ordinary file');
    if ((stat.mode & 0o077) !== 0) fchmodSync(fd, 0o600);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

class Drops {
  #dropped = 0;
  #complainedAt = Number.NEGATIVE_INFINITY;

  constructor(readonly notify: Notify) {}

  count(): void {
    this.#dropped += 1;
    if (performance.now() - this.#complainedAt > COMPLAIN_MS) this.complain();
  }

  complain(): void {
    if (this.#dropped === 0) return;
    this.#complainedAt = performance.now();
    this.notify(`the capture file does not keep up; exchanges that are not in it: ${this.#dropped}`);
    this.#dropped = 0;
  }
}

/** Messages are written down as they come: a body is not kept for longer than the exchange needs it. */
class CapturedRun implements ExchangeCapture {
  readonly #at = new Date().toISOString();
  readonly #began = performance.now();
  #request: CapturedBody | undefined;
  #fields: Fields | undefined;
  #echoes: Echoes = [];
  #head: { readonly status: number; readonly headers: HeaderFields } | undefined;
  #body: CapturedBody | undefined;
  #events: CapturedEvent[] | undefined;
  #eventBytes = 0;
  #eventsOmitted = 0;

  constructor(
    readonly route: RoutePolicy,
    readonly head: CapturedHead,
    readonly full: boolean,
    readonly write: (line: string) => void,
    readonly notify: Notify,
  ) {}

  asked(reading: Reading): void {
    this.#attempt(() => {
      this.#request = captureBody(reading, this.full ? undefined : REQUEST);
      const readable = reading.fault === undefined && reading.depth <= MAX_DEPTH;
      const message = readable ? clientMessageOf(reading) : undefined;
      if (this.full) return;
      this.#fields = redactHead(this.head.headers, message);
      if (message !== undefined) this.#echoes = echoesOf(message);
    });
  }

  answered(head: { readonly status: number; readonly headers: HeaderFields }): void {
    this.#head = head;
  }

  heard({ reading, stream }: Received): void {
    this.#attempt(() => {
      const keep = this.full ? undefined : ANSWER;
      if (!stream) {
        this.#body = captureBody(reading, keep, this.#echoes);
        return;
      }
      const events = this.#events ?? [];
      this.#events = events;
      this.#eventBytes += reading.bytes.length;
      if (events.length >= MOST_EVENTS || this.#eventBytes > MOST_EVENT_BYTES) this.#eventsOmitted += 1;
      else {
        const afterMs = Math.round(performance.now() - this.#began);
        events.push({ afterMs, body: captureBody(reading, keep, this.#echoes) });
      }
    });
  }

  ended(summary: ExchangeSummary): void {
    this.#attempt(() => this.write(this.#line(summary)));
  }

  #line({ outcome, status, durationMs, decisions }: ExchangeSummary): string {
    const headers = this.full
      ? wholeHead(this.head.headers)
      : (this.#fields ?? redactHead(this.head.headers, undefined));
    const findings = decisions.flatMap(({ stage, decision }) =>
      decision.findings.map(({ rule, severity }) => ({ stage, rule: rule.id, severity })),
    );
    return captureLine({
      capture: CAPTURE_VERSION,
      redacted: !this.full,
      at: this.#at,
      route: this.route.name,
      path: this.route.path,
      httpMethod: this.head.httpMethod,
      request: { headers, ...(this.#request !== undefined && { body: this.#request }) },
      ...(this.#head !== undefined && { answer: this.#answer(this.#head) }),
      outcome,
      status,
      durationMs: Math.round(durationMs),
      findings: findings.slice(0, MOST_FINDINGS),
    });
  }

  #answer({ status, headers }: { readonly status: number; readonly headers: HeaderFields }): CapturedAnswer {
    return {
      status,
      headers: this.full ? wholeHead(headers) : redactHead(headers, undefined),
      ...(this.#body !== undefined && { body: this.#body }),
      ...(this.#events !== undefined && { events: this.#events }),
      ...(this.#eventsOmitted > 0 && { eventsOmitted: this.#eventsOmitted }),
    };
  }

  /** What goes wrong here concerns the capture alone. */
  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.notify('an exchange could not be captured', error);
    }
  }
}
