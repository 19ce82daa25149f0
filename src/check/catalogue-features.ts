/** What the server offers: discovery, lists, and each thing on them. */
import {
  META_LOG_LEVEL,
  METHOD_DISCOVER,
  METHOD_PROMPTS_GET,
  METHOD_PROMPTS_LIST,
  METHOD_RESOURCE_TEMPLATES_LIST,
  METHOD_RESOURCES_LIST,
  METHOD_RESOURCES_READ,
  METHOD_TOOLS_LIST,
} from '../protocol/constants.js';
import { arrayMember, isObject, type JsonObject, member, stringMember } from '../protocol/messages.js';
import { type Asking, ask, callWithout, NOBODY } from './asking.js';
import type { CatalogueEntry } from './catalogue.js';
import { answered, refused } from './expectations.js';
import type { Known, Seen } from './known.js';
import { EVERY_SHAPE } from './shapes.js';

/** Reading costs a server something: of a long list the first ones stand for all. */
const MOST_READ = 10;

export const FEATURES: readonly CatalogueEntry[] = [
  {
    id: 'discover',
    asks: 'what the server is and can',
    shapes: ['all', 'none'],
    about: () => [ask(METHOD_DISCOVER)],
    expects: answered('discover-answered', '/error', 'the server does not answer server/discover'),
  },
  {
    id: 'text-id',
    asks: 'the same under an id that is text',
    shapes: ['none'],
    about: () => [ask(METHOD_DISCOVER, {}, { id: 'check-1' })],
  },
  {
    id: 'tools-list',
    asks: 'the tools, every page',
    shapes: EVERY_SHAPE,
    about: (known) => listIf(known, 'tools', METHOD_TOOLS_LIST),
    next: nextPage,
  },
  {
    id: 'prompts-list',
    asks: 'the prompts, every page',
    shapes: ['all', 'none'],
    about: (known) => listIf(known, 'prompts', METHOD_PROMPTS_LIST),
    next: nextPage,
  },
  {
    id: 'resources-list',
    asks: 'the resources, every page',
    shapes: ['all', 'none'],
    about: (known) => listIf(known, 'resources', METHOD_RESOURCES_LIST),
    next: nextPage,
  },
  {
    id: 'templates-list',
    asks: 'the resource templates, every page',
    shapes: ['none'],
    about: (known) => listIf(known, 'resources', METHOD_RESOURCE_TEMPLATES_LIST),
    next: nextPage,
  },
  {
    id: 'call',
    asks: 'each tool that may be called, without arguments',
    shapes: EVERY_SHAPE,
    about: ({ callable }) => callable.map((tool) => callWithout(tool)),
  },
  {
    id: 'call-watched',
    asks: 'the same, with progress and log messages',
    shapes: ['all'],
    about: ({ callable }) =>
      callable.map((tool) =>
        callWithout(tool, { meta: { progressToken: 'check-progress', [META_LOG_LEVEL]: 'debug' } }),
      ),
  },
  {
    id: 'prompt-get',
    asks: 'each prompt that needs no argument',
    shapes: ['all', 'none'],
    about: ({ prompts }) =>
      prompts
        .filter((prompt) => !needsArguments(prompt))
        .map((prompt) => ask(METHOD_PROMPTS_GET, { name: stringMember(prompt, 'name') ?? '' })),
  },
  {
    id: 'resource-read',
    asks: `the first ${MOST_READ} resources`,
    shapes: ['all', 'none'],
    about: ({ resources }) =>
      resources
        .slice(0, MOST_READ)
        .map((resource) => ask(METHOD_RESOURCES_READ, { uri: stringMember(resource, 'uri') ?? '' })),
  },
  {
    id: 'resource-unknown',
    asks: 'a resource that does not exist',
    shapes: ['none'],
    about: (known) =>
      known.declares('resources') ? [ask(METHOD_RESOURCES_READ, { uri: `urn:${NOBODY}` })] : [],
    expects: refused(
      'resource-unknown-refused',
      'invalidParams',
      '/params/uri',
      'the uri of no resource',
      true,
    ),
  },
];

function listIf(known: Known, capability: string, method: string): readonly Asking[] {
  // A server that does not say what it can is asked all the same.
  return known.discovered === undefined || known.declares(capability) ? [ask(method)] : [];
}

function nextPage({ asking, outcome }: Seen): Asking | undefined {
  const cursor = outcome.kind === 'complete' ? stringMember(outcome.result, 'nextCursor') : undefined;
  if (cursor === undefined || cursor === asking.params.cursor) return undefined;
  return ask(asking.method, { cursor });
}

function needsArguments(prompt: JsonObject): boolean {
  return (arrayMember(prompt, 'arguments') ?? []).some(
    (argument) => isObject(argument) && member(argument, 'required') === true,
  );
}
