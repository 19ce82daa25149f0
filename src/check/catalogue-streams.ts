/** What outlives its request: tasks, and subscriptions. */
import {
  METHOD_LISTEN,
  METHOD_TASKS_CANCEL,
  METHOD_TASKS_GET,
  METHOD_TASKS_UPDATE,
  NOTIFICATION_ACKNOWLEDGED,
  TASKS_EXTENSION,
} from '../protocol/constants.js';
import { readInputRequests } from '../protocol/input-requests.js';
import { type JsonObject, member, numberMember, stringMember } from '../protocol/messages.js';
import { awaitsInput } from '../protocol/results.js';
import { type Asking, ask, NOBODY } from './asking.js';
import type { CatalogueEntry } from './catalogue.js';
import { refused } from './expectations.js';
import type { Known, Seen } from './known.js';
import { sampleAnswers } from './sample-answers.js';

const MOST_POLLS = 6;
const STANDARD_PAUSE_MS = 500;
const ENDED: ReadonlySet<string | undefined> = new Set(['completed', 'failed', 'cancelled']);
const LISTS = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
] as const;

const undeclared = (what: string) => refused('tasks-request-declared', 'missingCapability', '/method', what);

export const STREAMS: readonly CatalogueEntry[] = [
  {
    id: 'task-get',
    asks: 'the task of each tool that began one, until it has ended or what it asks is declined',
    shapes: ['all'],
    about: (known) => ofTasks(METHOD_TASKS_GET, known),
    next: followTask,
  },
  {
    id: 'task-cancel',
    asks: 'the same tasks, to end them',
    shapes: ['all'],
    about: (known) => ofTasks(METHOD_TASKS_CANCEL, known),
  },
  {
    id: 'task-unknown',
    asks: 'a task that does not exist',
    shapes: ['all'],
    about: ifTasks([ask(METHOD_TASKS_GET, { taskId: NOBODY })]),
    expects: refused('task-unknown-refused', 'invalidParams', '/params/taskId', 'the id of no task', true),
  },
  {
    id: 'task-undeclared',
    asks: 'about a task, for a client that did not declare tasks',
    shapes: ['none'],
    about: ifTasks(
      [METHOD_TASKS_GET, METHOD_TASKS_UPDATE, METHOD_TASKS_CANCEL].map((method) => {
        const more = method === METHOD_TASKS_UPDATE ? { inputResponses: {} } : {};
        return ask(method, { taskId: NOBODY, ...more }, { about: method });
      }),
    ),
    expects: undeclared('a request about tasks from a client that did not declare them'),
  },
  {
    id: 'listen',
    asks: 'to be told of changed lists',
    shapes: ['none'],
    about: (known) => {
      const filter = filterOf(known);
      return Object.keys(filter).length === 0 ? [] : [ask(METHOD_LISTEN, { notifications: filter })];
    },
    expects: {
      rule: 'listen-acknowledged-first',
      judge: ({ record }) => {
        if (!record.stream) return 'nothing';
        const [first] = record.heard;
        if (first?.message?.kind === 'notification' && first.message.method === NOTIFICATION_ACKNOWLEDGED)
          return 'kept';
        return first === undefined
          ? { at: '', message: 'the server opened a subscription and did not acknowledge it' }
          : 'nothing';
      },
    },
    listens: true,
  },
];

/** Whoever knows a task's id may use it: evidence names the tool that began it. */
function ofTasks(method: string, { tasks }: Known): readonly Asking[] {
  return [...tasks].map(([about, taskId]) => ask(method, { taskId }, { about }));
}

function ifTasks(askings: readonly Asking[]): (known: Known) => readonly Asking[] {
  return (known) => (known.declaresExtension(TASKS_EXTENSION) ? askings : []);
}

function filterOf(known: Known): JsonObject {
  const declared = LISTS.filter(([name]) => member(known.capability(name) ?? {}, 'listChanged') === true);
  return Object.fromEntries(declared.map(([, flag]) => [flag, true]));
}

/** Asks again until the task has ended; what it asks of the user is declined. */
function followTask({ asking, outcome, record }: Seen): Asking | undefined {
  const round = (asking.round ?? 1) + 1;
  const { taskId } = asking.params;
  if (outcome.kind !== 'complete' || typeof taskId !== 'string' || round > MOST_POLLS) return undefined;
  const task = outcome.result;
  if (ENDED.has(stringMember(task, 'status'))) return undefined;
  const more = { about: asking.about, round };
  const asked = awaitsInput(task) ? readInputRequests(record.response) : [];
  if (asked.length > 0) {
    const inputResponses = sampleAnswers(asked, 'decline');
    return ask(METHOD_TASKS_UPDATE, { taskId, inputResponses }, more);
  }
  const pauseMs = numberMember(task, 'pollIntervalMs') ?? STANDARD_PAUSE_MS;
  return ask(METHOD_TASKS_GET, { taskId }, { ...more, pauseMs });
}
