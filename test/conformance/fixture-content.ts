/** Tools, prompts and resources of the conformance fixture that answer at once. */
import {
  completable,
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The smallest of files: one red pixel; a WAV header without samples. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const text = (words: string) => ({ type: 'text', text: words }) as const;
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
const embedded = (uri: string, mimeType: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } }) as const;

export function registerContent(server: McpServer, notify: ServerNotifier): void {
  registerContentTools(server);
  registerLiveTools(server, notify);
  registerSchemaTools(server);
  registerPrompts(server);
  registerResources(server);
}

function registerContentTools(server: McpServer): void {
  server.registerTool('test_simple_text', { description: 'Answers with text' }, async () => ({
    content: [text('This is a simple text response for testing.')],
  }));
  server.registerTool('test_image_content', { description: 'Answers with an image' }, async () => ({
    content: [image],
  }));
  server.registerTool('test_audio_content', { description: 'Answers with audio' }, async () => ({
    content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', { description: 'Answers with a resource' }, async () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  server.registerTool(
    'test_multiple_content_types',
    { description: 'Answers with several kinds' },
    async () => ({
      content: [
        text('Multiple content types test:'),
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  );
  server.registerTool('test_error_handling', { description: 'Fails' }, async () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }));
}

function registerLiveTools(server: McpServer, notify: ServerNotifier): void {
  const none = z.object({});
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports progress', inputSchema: none },
    async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      return { content: [text('done')] };
    },
  );
  server.registerTool(
    'test_logging_tool',
    { description: 'Logs to clients that asked for it', inputSchema: none },
    async (_, { mcpReq }) => {
      await mcpReq.log('info', 'logged');
      return { content: [text('done')] };
    },
  );
  server.registerTool(
    'test_streaming_elicitation',
    { description: 'Asks nothing on its stream' },
    async () => ({
      content: [text('done')],
    }),
  );
  server.registerTool('test_trigger_tool_change', { description: 'Announces changed tools' }, async () => {
    notify.toolsChanged();
    return { content: [text('announced')] };
  });
  server.registerTool(
    'test_trigger_prompt_change',
    { description: 'Announces changed prompts' },
    async () => {
      notify.promptsChanged();
      return { content: [text('announced')] };
    },
  );
}

function registerSchemaTools(server: McpServer): void {
  const inputSchema = fromJsonSchema<Record<string, unknown>>({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Takes a schema with many keywords', inputSchema },
    async () => ({ content: [text('done')] }),
  );
  const mirrored: Record<string, string> = { type: 'string', 'x-mcp-header': 'Region' };
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Mirrors an argument in a header',
      inputSchema: fromJsonSchema<{ region?: string }>({
        type: 'object',
        properties: { region: mirrored },
      }),
    },
    async ({ region }) => ({ content: [text(region ?? 'none')] }),
  );
}

function registerPrompts(server: McpServer): void {
  const user = <T>(content: T) => ({ role: 'user', content }) as const;
  server.registerPrompt('test_simple_prompt', { description: 'Says one thing' }, async () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  server.registerPrompt('test_prompt_with_image', { description: 'Shows an image' }, async () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Repeats its arguments',
      argsSchema: z.object({
        arg1: completable(z.string(), (typed) =>
          ['paris', 'park', 'party'].filter((word) => word.startsWith(typed)),
        ),
        arg2: z.string(),
      }),
    },
    async ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
}

function registerResources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'Text', mimeType: 'text/plain' },
    async (uri) => ({
      contents: [
        { uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
      ],
    }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'An image', mimeType: 'image/png' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: PIXEL }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data of an id', mimeType: 'application/json' },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
}
