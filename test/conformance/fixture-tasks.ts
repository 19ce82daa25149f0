/**
 * The Tasks extension (SEP-2663), which the official server package lacks: answered in front of it, so that the suite's
 * scenarios for tasks can run through the gateway too. What is no task passes on.
 */
import { randomUUID } from 'node:crypto';
import { type InputRequest, inputRequired, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { form, said } from './fixture-asks.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

type Members = Readonly<Record<string, unknown>>;
type Outcome = { readonly result: Members } | { readonly error: Members };

interface Plan {
  readonly afterMs: number;
  readonly outcome: Outcome;
  readonly asks?: Readonly<Record<string, InputRequest>>;
}

interface Task {
  readonly taskId: string;
  readonly createdAt: number;
  readonly plan: Plan;
  asks: Readonly<Record<string, InputRequest>>;
  cancelled: boolean;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Members & { readonly arguments?: Members; readonly inputResponses?: Members };
}

const done = (words: string): Outcome => ({ result: { ...said(words) } });

/** What each tool's task does; undefined when the call is one that the server itself answers. */
const PLANS: Readonly<Record<string, (params: NonNullable<Message['params']>) => Plan | undefined>> = {
  slow_compute: (params) => ({
    afterMs: 1000 * Number(params.arguments?.seconds ?? 0),
    outcome: done('computed'),
  }),
  failing_job: () => ({ afterMs: 0, outcome: { result: { ...said('it failed'), isError: true } } }),
  protocol_error_job: () => ({ afterMs: 0, outcome: { error: { code: -32603, message: 'it broke' } } }),
  confirm_delete: () => ({
    afterMs: 0,
    outcome: done('deleted'),
    asks: { confirm: form('Delete it?', 'confirm', 'boolean') },
  }),
  multi_input: () => ({
    afterMs: 0,
    outcome: done('both are there'),
    asks: { first: form('Which name?', 'name'), second: form('Really?', 'confirm', 'boolean') },
  }),
  test_tool_with_task: (params) => {
    const name = nameIn(params.inputResponses);
    return name === undefined ? undefined : { afterMs: 0, outcome: done(`Hello, ${name}!`) };
  },
};

export function registerTaskTools(server: McpServer): void {
  server.registerTool(
    'greet',
    { description: 'Greets', inputSchema: z.object({ name: z.string() }) },
    async ({ name }) => said(`Hello, ${name}!`),
  );
  for (const name of Object.keys(PLANS))
    server.registerTool(name, { description: 'Works as a task', inputSchema: z.looseObject({}) }, async () =>
      name === 'test_tool_with_task'
        ? inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } })
        : said('done at once'),
    );
}

export class FixtureTasks {
  readonly #tasks = new Map<string, Task>();

  /** The answer to a message that is about tasks; undefined for any other. */
  async answer(request: Request): Promise<Response | undefined> {
    const message = (await request
      .clone()
      .json()
      .catch(() => ({}))) as Message;
    const { method = '', params = {} } = message;
    if (['tasks/get', 'tasks/update', 'tasks/cancel'].includes(method)) {
      if (request.headers.get('mcp-name') !== params.taskId) return fail(message, -32020, 'header mismatch');
      if (!declares(params)) return fail(message, -32021, 'tasks not declared', REQUIRED);
      return this.#ofTask(message, method, params);
    }
    if (method !== 'tools/call' || request.headers.get('mcp-method') !== method) return undefined;
    if (!declares(params) && params.name === 'failing_job')
      return fail(message, -32021, 'tasks not declared', REQUIRED);
    const plan = declares(params) ? PLANS[String(params.name)]?.(params) : undefined;
    return plan && succeed(message, { resultType: 'task', ...this.#begin(plan) });
  }

  #begin(plan: Plan): Members {
    const task = {
      taskId: randomUUID(),
      createdAt: Date.now(),
      plan,
      asks: plan.asks ?? {},
      cancelled: false,
    };
    this.#tasks.set(task.taskId, task);
    return { ...common(task), status: 'working' };
  }

  #ofTask(message: Message, method: string, params: NonNullable<Message['params']>): Response {
    const task = this.#tasks.get(String(params.taskId));
    if (task === undefined) return fail(message, -32602, 'unknown task');
    if (method === 'tasks/get') return succeed(message, { resultType: 'complete', ...report(task) });
    if (method === 'tasks/cancel') task.cancelled ||= report(task).status !== 'completed';
    const answered = params.inputResponses ?? {};
    task.asks = Object.fromEntries(
      Object.entries(task.asks).filter(([key]) => !Object.hasOwn(answered, key)),
    );
    return succeed(message, { resultType: 'complete' });
  }
}

const REQUIRED = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } };

function report(task: Task): Members {
  const { plan, asks } = task;
  if (task.cancelled) return { ...common(task), status: 'cancelled' };
  if (Object.keys(asks).length > 0) return { ...common(task), status: 'input_required', inputRequests: asks };
  if (Date.now() < task.createdAt + plan.afterMs) return { ...common(task), status: 'working' };
  return { ...common(task), status: 'result' in plan.outcome ? 'completed' : 'failed', ...plan.outcome };
}

function common({ taskId, createdAt }: Task): Members {
  const at = new Date(createdAt).toISOString();
  return { taskId, createdAt: at, lastUpdatedAt: at, ttlMs: 600_000, pollIntervalMs: 100 };
}

function declares(params: Members): boolean {
  const meta = params._meta as Readonly<Record<string, { extensions?: Members } | undefined>> | undefined;
  return meta?.[CAPABILITIES]?.extensions?.[EXTENSION] !== undefined;
}

function nameIn(responses: Members | undefined): string | undefined {
  return (responses?.user_name as { content?: { name?: string } } | undefined)?.content?.name;
}

function succeed({ id }: Message, result: Members): Response {
  return Response.json({ jsonrpc: '2.0', id, result });
}

function fail({ id }: Message, code: number, message: string, data?: Members): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { status: 400 });
}
