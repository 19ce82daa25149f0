/** Carries out the catalogue against one server and gathers what its answers say. Never rejects, never hangs. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../client/client.js';
import { outcomeOf } from '../client/outcome.js';
import type { RoutePolicy } from '../engine/policy.js';
import { METHOD_DISCOVER } from '../protocol/constants.js';
import { type Asking, ask } from './asking.js';
import { CATALOGUE, type CatalogueEntry } from './catalogue.js';
import { compare } from './compare.js';
import { type Contact, findWrongServer } from './contact.js';
import { judge, type Saying } from './judge.js';
import { Known, type MayCall, type Seen } from './known.js';
import { SHAPES, type ShapeName } from './shapes.js';

export interface AuditOptions {
  /** Its bounds are those of a single exchange. */
  readonly client: Client;
  readonly policy: RoutePolicy;
  readonly mayCall: MayCall;
  /** For all exchanges together. */
  readonly withinMs?: number;
  /** How long a subscription is listened to. */
  readonly listenMs?: number;
  /** Longest pause between two looks at a task. */
  readonly maxPauseMs?: number;
  readonly onExchange?: (seen: Seen) => void;
}

/** Where something was said, and what. */
export interface Evidence extends Saying {
  readonly entry: string;
  readonly about: string;
  readonly shape: ShapeName;
}

export type Audit =
  | { readonly kind: 'no-server'; readonly why: string }
  | {
      readonly kind: 'audited';
      readonly known: Known;
      readonly evidence: readonly Evidence[];
      readonly exchanges: number;
      /** What was left out, and why. */
      readonly notes: readonly string[];
    };

const WITHIN_MS = 300_000;
const LISTEN_MS = 500;
const MAX_PAUSE_MS = 1_000;
/** So many exchanges in a row without an answer: the server is gone, or asks for longer than anybody waits. */
const MOST_SILENT = 3;
/** Of one entry in one shape: a server may have pages and rounds without end. */
const MOST_EXCHANGES = 500;

export async function audit(options: AuditOptions): Promise<Audit> {
  const auditing = new Auditing(options);
  const why = await auditing.contact();
  if (why !== undefined) return { kind: 'no-server', why };
  await auditing.run();
  return auditing.audited();
}

class Auditing {
  readonly #known: Known;
  readonly #evidence: Evidence[] = [];
  readonly #notes: string[] = [];
  readonly #until: number;
  #exchanges = 0;
  #silent = 0;
  #over = false;

  constructor(readonly options: AuditOptions) {
    this.#known = new Known(options.mayCall, options.policy);
    this.#until = performance.now() + (options.withinMs ?? WITHIN_MS);
  }

  async contact(): Promise<string | undefined> {
    const first = await this.#send(ask(METHOD_DISCOVER), 'none');
    return findWrongServer(first, (asking) => this.#send(asking, 'none'));
  }

  async run(): Promise<void> {
    for (const entry of CATALOGUE) {
      for (const shape of entry.shapes) {
        if (this.#over) return;
        await this.#runEntry(entry, shape);
      }
    }
  }

  audited(): Audit {
    const evidence = [...this.#evidence, ...compare(this.#known)];
    return { kind: 'audited', known: this.#known, evidence, exchanges: this.#exchanges, notes: this.#notes };
  }

  async #runEntry(entry: CatalogueEntry, shape: ShapeName): Promise<void> {
    const queue = [...entry.about(this.#known)];
    for (let count = 0; queue.length > 0 && !this.#over; count += 1) {
      if (count >= MOST_EXCHANGES) {
        this.#notes.push(`${entry.id}: ended after ${MOST_EXCHANGES} exchanges`);
        return;
      }
      const asking = queue.shift() as Asking;
      const seen = await this.#exchange(entry, asking, asking.shape ?? shape);
      const next = entry.next?.(seen, this.#known);
      if (next !== undefined) queue.unshift(next);
    }
  }

  async #exchange(entry: CatalogueEntry, asking: Asking, shape: ShapeName): Promise<Seen> {
    if (asking.pauseMs !== undefined)
      await delay(Math.min(Math.max(asking.pauseMs, 0), this.options.maxPauseMs ?? MAX_PAUSE_MS));
    const contact = await this.#send(asking, shape, entry.listens);
    const seen: Seen = { entry, asking, shape, ...contact };
    this.#known.take(seen);
    for (const saying of judge(seen, this.#known))
      this.#evidence.push({ ...saying, entry: entry.id, about: asking.about, shape });
    this.#exchanges += 1;
    this.#watch(seen);
    this.options.onExchange?.(seen);
    return seen;
  }

  async #send(asking: Asking, shape: ShapeName, listens = false): Promise<Contact> {
    const { client, listenMs = LISTEN_MS } = this.options;
    const { method, params, meta, headers, id, edit } = asking;
    const built = client.build(method, params, { capabilities: SHAPES[shape], meta, headers, id });
    const stopAfterMs = listens ? listenMs : undefined;
    const record = await client.send(edit?.(built) ?? built, { stopAfterMs });
    return { record, outcome: outcomeOf(record) };
  }

  /** Ends an audit that nobody answers any more, or that has taken long enough. */
  #watch({ entry, record }: Seen): void {
    const kind = record.trouble?.kind;
    const silent = kind !== undefined && kind !== 'stopped' && record.status === undefined;
    this.#silent = silent ? this.#silent + 1 : 0;
    if (silent) this.#notes.push(`${entry.id}: ${record.trouble?.message ?? ''}`);
    else if (kind === 'timeout') this.#notes.push(`${entry.id}: ${record.trouble?.message ?? ''}`);
    if (this.#silent >= MOST_SILENT) this.#end('the server stopped answering; the rest was not asked');
    else if (performance.now() > this.#until) this.#end('the time was up; the rest was not asked');
  }

  #end(note: string): void {
    this.#notes.push(note);
    this.#over = true;
  }
}
