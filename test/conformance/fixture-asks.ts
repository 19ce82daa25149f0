/** Tools and prompts of the conformance fixture that ask for input first (Multi Round-Trip Requests). */
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type GetPromptResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const none = z.object({});
export const said = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

type Called = Promise<CallToolResult | InputRequiredResult>;

export const form = (message: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: type === 'string' ? { type } : { type } },
      required: [field],
    },
  });
const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });

export function registerAsks(server: McpServer, state: RequestStateCodec<unknown>): void {
  registerOneAnswer(server);
  registerKinds(server);
  registerStates(server, state);
  registerCapabilityTools(server);
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks for its context' },
    async (ctx): Promise<GetPromptResult | InputRequiredResult> => {
      const answer = acceptedContent<{ context: string }>(ctx.mcpReq.inputResponses, 'user_context');
      if (answer === undefined)
        return inputRequired({
          inputRequests: { user_context: form('What context should the prompt use?', 'context') },
        });
      return { messages: [{ role: 'user', content: { type: 'text', text: `Context: ${answer.context}` } }] };
    },
  );
}

function registerOneAnswer(server: McpServer): void {
  server.registerTool(
    'test_input_required_result_elicitation',
    { description: 'Asks for a name', inputSchema: none },
    async (_, { mcpReq }): Called => {
      const view = inputResponse(mcpReq.inputResponses, 'user_name');
      if (view.kind === 'elicit' && view.action !== 'accept') return said(`Not greeted: ${view.action}`);
      const answer = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name');
      if (answer === undefined)
        return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
      return said(`Hello, ${answer.name}!`);
    },
  );
}

/** Sampling and roots: any answer completes the call. */
function registerKinds(server: McpServer): void {
  const asks: readonly [string, string, InputRequest][] = [
    [
      'test_input_required_result_sampling',
      'capital_question',
      sample('What is the capital of France?', 100),
    ],
    ['test_input_required_result_list_roots', 'client_roots', inputRequired.listRoots()],
  ];
  for (const [name, key, request] of asks) {
    server.registerTool(
      name,
      { description: 'Asks the client', inputSchema: none },
      async (_, { mcpReq }): Called => {
        const view = inputResponse(mcpReq.inputResponses, key);
        if (view.kind === 'missing') return inputRequired({ inputRequests: { [key]: request } });
        return said(`Answered: ${JSON.stringify(view)}`);
      },
    );
  }
}

function registerStates(server: McpServer, state: RequestStateCodec<unknown>): void {
  const confirm = { confirm: form('Please confirm', 'ok', 'boolean') };
  for (const name of [
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
  ]) {
    server.registerTool(
      name,
      { description: 'Carries a state', inputSchema: none },
      async (_, { mcpReq }): Called => {
        if (mcpReq.requestState() === undefined)
          return inputRequired({ inputRequests: confirm, requestState: await state.mint({ step: 1 }) });
        return said('state-ok');
      },
    );
  }
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks three things at once', inputSchema: none },
    async (_, { mcpReq }): Called => {
      if (mcpReq.requestState() !== undefined) return said('All inputs are there');
      const inputRequests = {
        user_name: form('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      };
      return inputRequired({ inputRequests, requestState: await state.mint({ step: 1 }) });
    },
  );
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks twice', inputSchema: none },
    async (_, { mcpReq }): Called => {
      const step = mcpReq.requestState<{ step: number }>()?.step ?? 0;
      if (step === 2) return said('Both rounds are done');
      const inputRequests =
        step === 0
          ? { step1: form('Step 1: What is your name?', 'name') }
          : { step2: form('Step 2: What is your favorite color?', 'color') };
      return inputRequired({ inputRequests, requestState: await state.mint({ step: step + 1 }) });
    },
  );
}

function registerCapabilityTools(server: McpServer): void {
  server.registerTool(
    'test_missing_capability',
    { description: 'Needs sampling', inputSchema: none },
    async (_, { mcpReq }): Called => {
      if (inputResponse(mcpReq.inputResponses, 'answer').kind !== 'missing') return said('done');
      return inputRequired({ inputRequests: { answer: sample('Say anything', 10) } });
    },
  );
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only what the client declared', inputSchema: none },
    async (_, ctx): Called => inputRequired({ inputRequests: declaredAsks(ctx) }),
  );
}

function declaredAsks(ctx: ServerContext): Record<string, InputRequest> {
  const envelope = (ctx.mcpReq.envelope ?? {}) as Record<string, unknown>;
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return {
    ...(declared?.elicitation && { user_name: form('What is your name?', 'name') }),
    ...(declared?.sampling && { greeting: sample('Generate a greeting', 50) }),
  };
}
