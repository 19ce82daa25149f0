/** What an audit has learned of the server so far: later exchanges are made of it. */
import type { Outcome } from '../client/outcome.js';
import type { RecordedExchange } from '../client/record.js';
import type { RoutePolicy } from '../engine/policy.js';
import {
  METHOD_DISCOVER,
  METHOD_PROMPTS_LIST,
  METHOD_RESOURCES_LIST,
  METHOD_TASKS_GET,
  METHOD_TOOLS_LIST,
  MRTR_METHODS,
} from '../protocol/constants.js';
import type { InputRequest } from '../protocol/input-requests.js';
import {
  arrayMember,
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  objectMember,
  stringMember,
} from '../protocol/messages.js';
import { awaitsInput } from '../protocol/results.js';
import type { Asking } from './asking.js';
import type { CatalogueEntry } from './catalogue.js';
import type { ShapeName } from './shapes.js';

/** One exchange of the audit. */
export interface Seen {
  readonly entry: CatalogueEntry;
  readonly asking: Asking;
  readonly shape: ShapeName;
  readonly record: RecordedExchange;
  readonly outcome: Outcome;
}

/** A request that was answered with a question. */
export interface Question {
  readonly method: string;
  readonly params: JsonObject;
  /** Name of the tool or prompt, or the resource's uri, as it came. */
  readonly about: string;
  readonly shape: ShapeName;
  readonly asked: readonly InputRequest[];
  readonly requestState: JsonValue | undefined;
}

export interface ListAnswer {
  readonly shape: ShapeName;
  readonly result: JsonObject;
}

/** Which tools an audit may call. */
export type MayCall = (tool: JsonObject) => boolean;

const LISTS: ReadonlyMap<string, string> = new Map([
  [METHOD_TOOLS_LIST, 'tools'],
  [METHOD_PROMPTS_LIST, 'prompts'],
  [METHOD_RESOURCES_LIST, 'resources'],
]);

export class Known {
  discovered: JsonObject | undefined;
  /** First pages of tools/list, one a shape. */
  readonly toolLists: ListAnswer[] = [];
  readonly questions: Question[] = [];
  /** The first task that each call came to. */
  readonly tasks = new Map<string, string>();
  /** A task was seen waiting for input. */
  tasksAsk = false;
  readonly #items = new Map<string, Map<string, JsonObject>>();

  constructor(
    readonly mayCall: MayCall,
    readonly policy: RoutePolicy,
  ) {}

  /** By its policy, the server issues no requestState and takes none. */
  get forbidsState(): boolean {
    return this.policy.requestState === 'forbid';
  }

  get versions(): readonly string[] {
    const versions = arrayMember(this.discovered ?? {}, 'supportedVersions') ?? [];
    return versions.filter((version) => typeof version === 'string');
  }

  /** The server declares a capability: an object under this name. */
  declares(name: string): boolean {
    return this.capability(name) !== undefined;
  }

  capability(name: string): JsonObject | undefined {
    return objectMember(objectMember(this.discovered ?? {}, 'capabilities') ?? {}, name);
  }

  declaresExtension(name: string): boolean {
    return isObject(member(this.capability('extensions') ?? {}, name));
  }

  get tools(): readonly JsonObject[] {
    return this.#listed(METHOD_TOOLS_LIST);
  }

  get callable(): readonly JsonObject[] {
    return this.tools.filter((tool) => this.mayCall(tool));
  }

  get prompts(): readonly JsonObject[] {
    return this.#listed(METHOD_PROMPTS_LIST);
  }

  get resources(): readonly JsonObject[] {
    return this.#listed(METHOD_RESOURCES_LIST);
  }

  tool(name: string): JsonObject | undefined {
    return this.#items.get(METHOD_TOOLS_LIST)?.get(name);
  }

  take({ asking, shape, outcome }: Seen): void {
    const { method, params, about } = asking;
    if (outcome.kind === 'task' && typeof outcome.taskId === 'string' && !this.tasks.has(about))
      this.tasks.set(about, outcome.taskId);
    if (outcome.kind === 'input_required' && MRTR_METHODS.has(method)) {
      const { asked, requestState } = outcome;
      this.questions.push({ method, params, about, shape, asked, requestState });
    }
    if ((outcome.kind === 'task' || method === METHOD_TASKS_GET) && 'result' in outcome)
      this.tasksAsk ||= awaitsInput(outcome.result);
    if (outcome.kind !== 'complete') return;
    if (method === METHOD_DISCOVER) this.discovered ??= outcome.result;
    if (method === METHOD_TOOLS_LIST && member(params, 'cursor') === undefined)
      this.toolLists.push({ shape, result: outcome.result });
    this.#takeItems(method, outcome.result);
  }

  #takeItems(method: string, result: JsonObject): void {
    const name = LISTS.get(method);
    if (name === undefined) return;
    const items = this.#items.get(method) ?? new Map<string, JsonObject>();
    this.#items.set(method, items);
    for (const item of arrayMember(result, name) ?? []) {
      const key = isObject(item) ? (stringMember(item, 'uri') ?? stringMember(item, 'name') ?? '') : '';
      if (isObject(item) && key !== '' && !items.has(key)) items.set(key, item);
    }
  }

  #listed(method: string): readonly JsonObject[] {
    return [...(this.#items.get(method)?.values() ?? [])];
  }
}

/** The first question about each target: further shapes are asked the same. */
export function firstQuestions({ questions }: Known): readonly Question[] {
  const first = new Map<string, Question>();
  for (const question of questions) {
    const key = `${question.method} ${question.about}`;
    if (!first.has(key)) first.set(key, question);
  }
  return [...first.values()];
}
