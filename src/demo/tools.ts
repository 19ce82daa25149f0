/** The stand-in's tools: Ze's `ze_execute`, and two that only read. */
import { type Capabilities, readCapabilities } from '../protocol/capabilities.js';
import { NOTIFICATION_PROGRESS, RESULT_TASK } from '../protocol/constants.js';
import { type ClientMessage, type JsonObject, member, stringMember } from '../protocol/messages.js';
import { askForCommand, readAnswer } from './ask.js';
import { peerList, ribDump, runCommand } from './commands.js';
import { distort, type Misbehaviour } from './misbehave.js';
import { complete, type DemoReply, notification, refuse, toolText } from './reply.js';
import type { DemoSubscriptions } from './subscriptions.js';
import type { DemoTasks } from './tasks.js';

const PROGRESS_STEPS = 3;

/** What a method or tool of the stand-in may use. */
export interface Workplace {
  readonly misbehave: ReadonlySet<Misbehaviour>;
  readonly tasks: DemoTasks;
  readonly subscriptions: DemoSubscriptions;
}

const TOOLS: ReadonlyMap<string, (message: ClientMessage, place: Workplace) => DemoReply> = new Map([
  ['ze_execute', execute],
  ['ze_peers', () => toolText(peerList())],
  ['ze_rib_dump', dumpRib],
]);

/** The descriptors for a client: one that can be asked by form need not name the command. */
export function toolDescriptors({ form }: Capabilities): readonly JsonObject[] {
  const command = {
    type: 'string',
    title: 'ze command',
    description: "The ze command to execute, for example 'show bgp peer list'.",
  };
  const readOnly = { readOnlyHint: true, openWorldHint: false };
  return [
    {
      name: 'ze_execute',
      title: 'Execute a ze command',
      description: 'Runs one ze command and returns what it prints.',
      inputSchema: { type: 'object', properties: { command }, ...(!form && { required: ['command'] }) },
      annotations: { destructiveHint: true, openWorldHint: false },
    },
    {
      name: 'ze_peers',
      title: 'BGP peers',
      description: 'Lists the BGP peers and their states.',
      inputSchema: { type: 'object', properties: {} },
      annotations: readOnly,
    },
    {
      name: 'ze_rib_dump',
      title: 'Dump the RIB',
      description: 'Prints every route. Long work: a task for clients that declare tasks.',
      inputSchema: { type: 'object', properties: {} },
      annotations: readOnly,
    },
  ];
}

export function callTool(message: ClientMessage, place: Workplace): DemoReply {
  const tool = TOOLS.get(stringMember(message.params, 'name') ?? '');
  return tool === undefined ? refuse('invalidParams', 'invalid params: unknown tool') : tool(message, place);
}

function execute(message: ClientMessage, place: Workplace): DemoReply {
  const answer = readAnswer(message);
  if (answer.kind === 'command') {
    const { text, failed, reloaded } = runCommand(answer.command);
    if (reloaded) place.subscriptions.announceToolsChanged();
    return toolText(text, failed);
  }
  if (answer.kind === 'declined')
    return toolText('the user declined to give a command; nothing was run', true);
  if (answer.kind === 'cancelled') return toolText('the user cancelled; nothing was run', true);
  return askOrTell(message, place);
}

function askOrTell(message: ClientMessage, { misbehave, tasks }: Workplace): DemoReply {
  if (readCapabilities(message.meta).form) return distort(misbehave, 'ask', askForCommand(), message, tasks);
  return distort(misbehave, 'no-form', toolText('missing required argument: command', true), message, tasks);
}

function dumpRib(message: ClientMessage, { tasks }: Workplace): DemoReply {
  const result = { content: [{ type: 'text', text: ribDump() }], isError: false };
  if (readCapabilities(message.meta).tasks)
    return {
      status: 200,
      ahead: [],
      payload: { result: { resultType: RESULT_TASK, ...tasks.begin(result) } },
    };
  const progressToken = member(message.meta, 'progressToken');
  if (progressToken === undefined) return complete(result);
  const ahead = Array.from({ length: PROGRESS_STEPS }, (_, step) =>
    notification(NOTIFICATION_PROGRESS, { progressToken, progress: step + 1, total: PROGRESS_STEPS }),
  );
  return { ...complete(result), ahead };
}
