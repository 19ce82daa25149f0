/** The wire's fixed strings: each is written here once. Source: MCP revision 2026-07-28 and SEP-2663. */

export const REVISION = '2026-07-28';
export const JSON_RPC_VERSION = '2.0';
/** Revisions that begin with an `initialize` handshake. */
export const LEGACY_VERSIONS: ReadonlySet<string> = new Set([
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
]);

export const META_PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
export const META_CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
export const META_SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
export const META_CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const META_LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
export const META_SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';
export const META_PREFIX = 'io.modelcontextprotocol/';
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export const METHOD_INITIALIZE = 'initialize';
export const METHOD_DISCOVER = 'server/discover';
export const METHOD_TOOLS_LIST = 'tools/list';
export const METHOD_TOOLS_CALL = 'tools/call';
export const METHOD_PROMPTS_LIST = 'prompts/list';
export const METHOD_PROMPTS_GET = 'prompts/get';
export const METHOD_RESOURCES_LIST = 'resources/list';
export const METHOD_RESOURCE_TEMPLATES_LIST = 'resources/templates/list';
export const METHOD_RESOURCES_READ = 'resources/read';
export const METHOD_COMPLETE = 'completion/complete';
export const METHOD_LISTEN = 'subscriptions/listen';
export const METHOD_TASKS_GET = 'tasks/get';
export const METHOD_TASKS_UPDATE = 'tasks/update';
export const METHOD_TASKS_CANCEL = 'tasks/cancel';
export const METHOD_ELICIT = 'elicitation/create';
export const METHOD_SAMPLE = 'sampling/createMessage';
export const METHOD_ROOTS = 'roots/list';

export const NOTIFICATION_PREFIX = 'notifications/';
export const NOTIFICATION_CANCELLED = 'notifications/cancelled';
export const NOTIFICATION_PROGRESS = 'notifications/progress';
export const NOTIFICATION_MESSAGE = 'notifications/message';
export const NOTIFICATION_ELICITATION_COMPLETE = 'notifications/elicitation/complete';
export const NOTIFICATION_ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
export const NOTIFICATION_TOOLS_CHANGED = 'notifications/tools/list_changed';
export const NOTIFICATION_PROMPTS_CHANGED = 'notifications/prompts/list_changed';
export const NOTIFICATION_RESOURCES_CHANGED = 'notifications/resources/list_changed';
export const NOTIFICATION_RESOURCE_UPDATED = 'notifications/resources/updated';
export const NOTIFICATION_TASKS = 'notifications/tasks';

/** Requests that an InputRequiredResult may answer (basic/patterns/mrtr#supported-requests). */
export const MRTR_METHODS: ReadonlySet<string> = new Set([
  METHOD_TOOLS_CALL,
  METHOD_PROMPTS_GET,
  METHOD_RESOURCES_READ,
]);

/** Requests whose result is cacheable and carries ttlMs and cacheScope (server/utilities/caching). */
export const CACHEABLE_METHODS: ReadonlySet<string> = new Set([
  METHOD_DISCOVER,
  METHOD_TOOLS_LIST,
  METHOD_PROMPTS_LIST,
  METHOD_RESOURCES_LIST,
  METHOD_RESOURCE_TEMPLATES_LIST,
  METHOD_RESOURCES_READ,
]);

/** Every client method of the revision and of the Tasks extension: the closed label set of metrics. */
export const CLIENT_METHODS: ReadonlySet<string> = new Set([
  METHOD_INITIALIZE,
  METHOD_DISCOVER,
  METHOD_TOOLS_LIST,
  METHOD_TOOLS_CALL,
  METHOD_PROMPTS_LIST,
  METHOD_PROMPTS_GET,
  METHOD_RESOURCES_LIST,
  METHOD_RESOURCE_TEMPLATES_LIST,
  METHOD_RESOURCES_READ,
  METHOD_COMPLETE,
  METHOD_LISTEN,
  METHOD_TASKS_GET,
  METHOD_TASKS_UPDATE,
  METHOD_TASKS_CANCEL,
  NOTIFICATION_CANCELLED,
]);

export const RESULT_COMPLETE = 'complete';
export const RESULT_INPUT_REQUIRED = 'input_required';
export const RESULT_TASK = 'task';

/** HTTP field names in lower case, as node:http hands them over. */
export const HEADER_PROTOCOL_VERSION = 'mcp-protocol-version';
export const HEADER_METHOD = 'mcp-method';
export const HEADER_NAME = 'mcp-name';
export const HEADER_PARAM_PREFIX = 'mcp-param-';
export const HEADER_SESSION_ID = 'mcp-session-id';
export const HEADER_LAST_EVENT_ID = 'last-event-id';
export const HEADER_ORIGIN = 'origin';
export const HEADER_HOST = 'host';
export const HEADER_AUTHORIZATION = 'authorization';
export const HEADER_CONNECTION = 'connection';
export const HEADER_CONTENT_TYPE = 'content-type';
export const HEADER_CONTENT_ENCODING = 'content-encoding';
