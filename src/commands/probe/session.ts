/** Runs directives one after the other, and keeps the worst of what happened. */
import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../../client/call.js';
import type { Client } from '../../client/client.js';
import { listen } from '../../client/listen.js';
import { type Outcome, outcomeOf } from '../../client/outcome.js';
import { paramHeaders, readParamHeaders } from '../../client/param-headers.js';
import type { Heard, RecordedExchange } from '../../client/record.js';
import type { FieldValues } from '../../client/request.js';
import { pollTask } from '../../client/task.js';
import {
  METHOD_DISCOVER,
  METHOD_PROMPTS_GET,
  METHOD_PROMPTS_LIST,
  METHOD_RESOURCE_TEMPLATES_LIST,
  METHOD_RESOURCES_LIST,
  METHOD_RESOURCES_READ,
  METHOD_TOOLS_CALL,
  METHOD_TOOLS_LIST,
} from '../../protocol/constants.js';
import { arrayMember, isObject, type JsonObject, stringMember } from '../../protocol/messages.js';
import type { Answers } from './answers.js';
import type { Directive, Listed } from './directives.js';
import { EXITS } from './events.js';
import type { Telling } from './telling.js';

const LISTS: Readonly<Record<Listed, string>> = {
  tools: METHOD_TOOLS_LIST,
  prompts: METHOD_PROMPTS_LIST,
  resources: METHOD_RESOURCES_LIST,
  templates: METHOD_RESOURCE_TEMPLATES_LIST,
};
const MAX_PAGES = 100;
/** How long the lines after `listen` wait for the subscription to begin. */
const ACKNOWLEDGE_MS = 2_000;

export interface SessionOptions {
  readonly client: Client;
  readonly answers: Answers;
  readonly telling: Telling;
  readonly interactive: boolean;
}

export class Session {
  readonly #client: Client;
  readonly #answers: Answers;
  readonly #telling: Telling;
  readonly #maxRounds: number;
  readonly #listening: Promise<void>[] = [];
  /** Aborted: no subscription stays open. */
  readonly #open = new AbortController();
  readonly #tools = new Map<string, JsonObject>();
  #state: string | undefined;
  #task: string | undefined;
  #current: AbortController | undefined;

  constructor({ client, answers, telling, interactive }: SessionOptions) {
    this.#client = client;
    this.#answers = answers;
    this.#telling = telling;
    // A person decides how often to try again.
    this.#maxRounds = interactive ? 10_000 : 50;
  }

  get worst(): number {
    return this.#telling.worst;
  }

  /** Ends the exchange that is under way, or else every subscription; false when there was no exchange. */
  interrupt(): boolean {
    (this.#current ?? this.#open).abort();
    return this.#current !== undefined;
  }

  async run(directive: Directive): Promise<void> {
    this.#current = new AbortController();
    this.#answers.unanswered = false;
    try {
      await this.#run(directive);
    } finally {
      this.#current = undefined;
    }
    if (this.#answers.unanswered) this.#telling.exit(EXITS.failed);
  }

  /** Waits for subscriptions that are still open. */
  async finish(): Promise<void> {
    await Promise.all(this.#listening);
    if (this.#answers.left > 0) this.#telling.note(`${this.#answers.left} queued answers were not asked for`);
  }

  async #run(directive: Directive): Promise<void> {
    switch (directive.kind) {
      case 'tool':
        return this.#call(METHOD_TOOLS_CALL, { name: directive.name, arguments: directive.args }, directive);
      case 'prompt':
        return this.#call(METHOD_PROMPTS_GET, { name: directive.name, arguments: directive.args });
      case 'read':
        return this.#call(METHOD_RESOURCES_READ, { uri: directive.uri });
      case 'discover':
        return this.#call(METHOD_DISCOVER, {});
      case 'list':
        return this.#list(directive.what);
      case 'listen':
        return this.#listen(directive.forMs, directive.filter);
      case 'task':
        return this.#follow(directive.id ?? this.#task);
      case 'wait':
        return void (await delay(directive.ms, undefined, this.#signal()).catch(() => undefined));
      case 'state':
        this.#state = directive.state;
        return;
      case 'elicit-answer':
        return this.#answers.queueElicit(directive.said);
      case 'sample-answer':
        return this.#answers.queueSample(directive.said);
      case 'roots-answer':
        return this.#answers.queueRoots(directive.uris);
    }
  }

  async #call(method: string, params: JsonObject, tool?: { name: string; args: JsonObject }): Promise<void> {
    const headers = tool && this.#paramHeaders(tool.name, tool.args);
    const { outcome, usedUp } = await call(this.#client, method, params, {
      ...this.#signal(),
      headers,
      first: this.#takeState(),
      answer: this.#answers.answer,
      maxRounds: this.#maxRounds,
      onRound: (record, reached) => this.#tell(record, reached),
    });
    if (usedUp) this.#telling.problem('the server asks again and again', EXITS.failed);
    else if (
      outcome.kind === 'input_required' &&
      outcome.asked.length === 0 &&
      outcome.requestState === undefined
    )
      this.#telling.problem('the server asks for input and does not say for which', EXITS.refused);
  }

  /** A `state` line is for one request. */
  #takeState(): JsonObject {
    const state = this.#state;
    this.#state = undefined;
    return state === undefined ? {} : { requestState: state };
  }

  async #list(what: Listed): Promise<void> {
    let cursor: string | undefined;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const params = { ...(cursor !== undefined && { cursor }), ...this.#takeState() };
      const record = await this.#client.request(LISTS[what], params, this.#signal());
      const outcome = outcomeOf(record);
      this.#tell(record, outcome);
      if (outcome.kind !== 'complete') return;
      if (what === 'tools') this.#learnTools(outcome.result);
      const next = stringMember(outcome.result, 'nextCursor');
      if (next === undefined || next === cursor) return;
      cursor = next;
    }
    this.#telling.problem(`there are more than ${MAX_PAGES} pages`, EXITS.refused);
  }

  #learnTools(result: JsonObject): void {
    for (const tool of arrayMember(result, 'tools') ?? []) {
      const name = isObject(tool) ? stringMember(tool, 'name') : undefined;
      if (name !== undefined) this.#tools.set(name, tool as JsonObject);
    }
  }

  /** Known once the tools were listed. */
  #paramHeaders(name: string, args: JsonObject): FieldValues | undefined {
    const tool = this.#tools.get(name);
    const mirrored = tool && readParamHeaders(tool);
    return mirrored && paramHeaders(mirrored, args);
  }

  async #follow(id: string | undefined): Promise<void> {
    if (id === undefined)
      return this.#telling.problem('no task was begun: `task ID` names one', EXITS.failed);
    const { status } = await pollTask(this.#client, id, {
      ...this.#signal(),
      answer: this.#answers.answer,
      onPoll: (record, outcome) => this.#tell(record, outcome),
    });
    if (status === 'too-long') this.#telling.problem('the task is still not done', EXITS.absent);
    else if (status === 'failed' || status === 'cancelled') this.#telling.exit(EXITS.failed);
  }

  /** In the background; the lines after it wait until the subscription is there. */
  async #listen(forMs: number, filter: JsonObject): Promise<void> {
    const begun = new Promise<void>((resolve) => {
      const heard = (message: Heard) => {
        this.#telling.heard(message);
        resolve();
      };
      const watcher = { ...this.#telling.watcher, heard };
      const ended = listen(this.#client, filter, { forMs, watcher, signal: this.#open.signal }).then(
        (record) => {
          this.#telling.listened(record);
          resolve();
        },
      );
      this.#listening.push(ended);
    });
    await Promise.race([begun, delay(Math.min(forMs, ACKNOWLEDGE_MS), undefined, { ref: false })]);
  }

  #tell(record: RecordedExchange, outcome: Outcome): void {
    this.#telling.ended(record, outcome);
    const taskId = outcome.kind === 'task' ? outcome.taskId : undefined;
    if (typeof taskId === 'string') this.#task = taskId;
  }

  #signal(): { readonly signal: AbortSignal } | Record<string, never> {
    return this.#current === undefined ? {} : { signal: this.#current.signal };
  }
}
