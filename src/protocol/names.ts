/**
 * Which member names the protocol gives meaning to, level by level. Some parsers match names whatever their letter case,
 * some take `request_state` as well: what they read as `requestState` was not judged. Keys that are free (arguments, form
 * fields, keys of inputRequests, foreign `_meta` keys) are nobody's variants, so no level leads to them.
 */
import {
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  META_SERVER_INFO,
  META_SUBSCRIPTION_ID,
} from './constants.js';
import { DEFINED_PROTOCOL_CODES } from './errors.js';
import type { Path } from './json.js';
import { isArray, isObject, type JsonObject, type JsonValue, member } from './messages.js';

/** Control characters too, which changes nothing. */
const BEYOND_ASCII = /[^ -~]/;

export type Level = Names | Each;

/** An object whose member names have a meaning. */
interface Names {
  /** Every name, with the level that its value is on, if any. */
  readonly levels: Map<string, Level | undefined>;
  readonly folded: ReadonlySet<string>;
  /** Of what retries bring back: `looseName` of the names that no other spelling may stand for. */
  readonly loose?: ReadonlySet<string>;
  /** Another reading of some objects of this level. */
  readonly instead?: (object: JsonObject) => Level | undefined;
}

/** An object under free keys, an array, or what a careless reader takes for either: what each of its values is. */
interface Each {
  readonly container: 'object' | 'array' | 'either';
  readonly each: Level;
}

/**
 * The way to the first member that equals a name of its level after NFKC and upper-casing without being it. Recursion is
 * as deep as levels lead into the value: a caller bounds the depth of values with forms in them.
 */
export function findVariant(value: JsonValue | undefined, level: Level): Path | undefined {
  if ('each' in level) return findVariantInEach(value, level);
  if (!isObject(value)) return undefined;
  const other = level.instead?.(value);
  if (other !== undefined) return findVariant(value, other);
  for (const name of Object.keys(value)) {
    const inner = level.levels.get(name);
    if (inner === undefined) {
      if (!level.levels.has(name) && isVariant(name, level)) return [name];
      continue;
    }
    const found = findVariant(value[name], inner);
    if (found !== undefined) return [name, ...found];
  }
  return undefined;
}

function isVariant(name: string, { folded, loose }: Names): boolean {
  return folded.has(foldName(name)) || loose?.has(looseName(name)) === true;
}

function findVariantInEach(value: JsonValue | undefined, { container, each }: Each): Path | undefined {
  const holds = isArray(value) ? container !== 'object' : container !== 'array' && isObject(value);
  for (const [step, item] of holds ? Object.entries(value as JsonObject) : []) {
    const found = findVariant(item, each);
    if (found !== undefined) return [step, ...found];
  }
  return undefined;
}

/** Java also matches the dotted capital I with i. */
export function foldName(name: string): string {
  if (!BEYOND_ASCII.test(name)) return name.toUpperCase();
  return name.normalize('NFKC').toUpperCase().replaceAll('\u0130', 'I');
}

/** For parsers that also take the words of a name apart: `max_seats` is `maxSeats`. */
export function looseName(name: string): string {
  return foldName(name).replace(/[_-]/g, '');
}

function names(list: string, levels: Readonly<Record<string, Level>> = {}, more: Partial<Names> = {}): Names {
  const all = [...list.split(' '), ...Object.keys(levels)];
  return {
    levels: new Map(all.map((name) => [name, Object.hasOwn(levels, name) ? levels[name] : undefined])),
    folded: new Set(all.map(foldName)),
    ...more,
  };
}

function underFreeKeys(each: Level): Each {
  return { container: 'object', each };
}

function listOf(each: Level): Each {
  return { container: 'array', each };
}

const BROUGHT_BACK = { loose: new Set(['requestState', 'inputResponses'].map(looseName)) };

const META_NAMES = [
  ...[META_PROTOCOL_VERSION, META_CLIENT_INFO, META_CLIENT_CAPABILITIES, META_LOG_LEVEL],
  ...[META_SERVER_INFO, META_SUBSCRIPTION_ID, 'progressToken', 'requestState'],
].join(' ');
const META = names(META_NAMES);
const CLIENT_META = names(`${META_NAMES} inputResponses`, {}, BROUGHT_BACK);

const INPUT_RESPONSE = names('action content role model stopReason roots _meta');

const CLIENT_PARAMS = names(
  'name arguments uri cursor ref argument context notifications taskId requestId reason requestState ' +
    'protocolVersion capabilities clientInfo',
  { _meta: CLIENT_META, inputResponses: underFreeKeys(INPUT_RESPONSE) },
  BROUGHT_BACK,
);

export const CLIENT_ENVELOPE: Level = names(
  'jsonrpc id method result error requestState inputResponses',
  { params: CLIENT_PARAMS },
  BROUGHT_BACK,
);

/** A form, its fields, and whatever schemas stand inside: recursive, so its own levels are filled in afterwards. */
const SCHEMA = names(
  '$schema $ref type title description format enum enumNames const default pattern required minimum maximum ' +
    'minLength maxLength minItems maxItems writeOnly properties patternProperties additionalProperties items ' +
    'prefixItems contains allOf anyOf oneOf not if then else',
);
for (const name of ['properties', 'patternProperties']) SCHEMA.levels.set(name, underFreeKeys(SCHEMA));
for (const name of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) SCHEMA.levels.set(name, listOf(SCHEMA));
for (const name of ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else']) {
  SCHEMA.levels.set(name, SCHEMA);
}

const ASKED_PARAMS =
  'mode message url elicitationId messages modelPreferences systemPrompt includeContext temperature maxTokens ' +
  'stopSequences metadata tools toolChoice';
const INPUT_REQUEST = names('jsonrpc id method', {
  params: names(ASKED_PARAMS, { _meta: META, requestedSchema: SCHEMA }),
});

const INPUT_REQUESTS: Each = { container: 'either', each: INPUT_REQUEST };

const ERROR_DATA = names('supported requested requiredCapabilities');
const PROTOCOL_ERROR = names('code message', { data: ERROR_DATA });
/** What the data of other codes holds is the server's own. */
const ERROR = names('code message data', undefined, {
  instead: (error) => (isProtocolCode(member(error, 'code')) ? PROTOCOL_ERROR : undefined),
});

const TOOL = names('name title description icons outputSchema annotations _meta', {
  inputSchema: names('$schema type properties required'),
});

const TASK = 'taskId status statusMessage createdAt lastUpdatedAt ttlMs pollIntervalMs';
const RESULT = names(
  `resultType requestState elicitationId ${TASK} cacheScope nextCursor content structuredContent isError ` +
    'supportedVersions capabilities instructions protocolVersion serverInfo completion description messages ' +
    'prompts resources resourceTemplates contents result',
  { _meta: META, inputRequests: INPUT_REQUESTS, tools: listOf(TOOL), error: ERROR },
);
RESULT.levels.set('result', RESULT);

/** Of notifications, and of the requests that an earlier revision's server sends. */
const SERVER_PARAMS = names(
  `progressToken progress total level logger data uri requestId reason requestState ${TASK} ${ASKED_PARAMS}`,
  {
    _meta: META,
    notifications: names(
      'toolsListChanged promptsListChanged resourcesListChanged resourceSubscriptions taskIds',
    ),
    inputRequests: INPUT_REQUESTS,
    requestedSchema: SCHEMA,
    result: RESULT,
    error: ERROR,
  },
);

export const SERVER_ENVELOPE: Level = names('jsonrpc id method inputRequests', {
  params: SERVER_PARAMS,
  result: RESULT,
  error: ERROR,
});

function isProtocolCode(code: JsonValue | undefined): boolean {
  return typeof code === 'number' && DEFINED_PROTOCOL_CODES.has(code);
}
