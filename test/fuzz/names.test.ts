/**
 * Names that are almost one of the protocol, in messages generated from the names of the revision's schema: found wherever
 * the protocol gives names a meaning, and nowhere else. What is let through means the same to a reader that ignores case.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Reading, readRequest, readResponse } from '../../src/protocol/reading.js';
import { fuzz, Seen } from '../support/fuzz.js';

type Definitions = Record<string, { properties?: Record<string, unknown>; anyOf?: { $ref: string }[] }>;

const SCHEMA = new URL('../data/mcp-2026-07-28.schema.json', import.meta.url);
const DEFINITIONS = (JSON.parse(readFileSync(SCHEMA, 'utf8')) as { $defs: Definitions }).$defs;

/** An object whose names the schema lists; what some of them hold in turn, as it is, in a list or under free names. */
interface Level {
  readonly names: readonly string[];
  readonly inner: Readonly<Record<string, Inner>>;
}

type Inner = readonly [how: 'itself' | 'list' | 'free', level: () => Level];

function level(definitions: readonly string[], inner: Level['inner'] = {}): Level {
  const names = new Set([...definitions.flatMap(membersOf), ...Object.keys(inner)]);
  return { names: [...names], inner };
}

function membersOf(definition: string): string[] {
  const { properties = {}, anyOf = [] } = DEFINITIONS[definition] ?? {};
  return [
    ...Object.keys(properties),
    ...anyOf.flatMap(({ $ref }) => membersOf($ref.split('/').at(-1) ?? '')),
  ];
}

function paramsOf(union: string): string[] {
  const messages = (DEFINITIONS[union]?.anyOf ?? []).map(({ $ref }) => $ref.split('/').at(-1));
  return messages.map((name) => `${name}Params`);
}

const META = level(['RequestMetaObject']);
const INPUT_RESPONSE = level(['InputResponse']);
const REQUEST = level(['JSONRPCRequest'], {
  params: [
    'itself',
    () =>
      level(paramsOf('ClientRequest'), {
        _meta: ['itself', () => META],
        inputResponses: ['free', () => INPUT_RESPONSE],
      }),
  ],
});
const FIELD: Level = level(['PrimitiveSchemaDefinition'], {
  properties: ['free', () => FIELD],
  items: ['itself', () => FIELD],
  anyOf: ['list', () => FIELD],
  oneOf: ['list', () => FIELD],
});
const INPUT_REQUEST = level(['InputRequest'], {
  params: [
    'itself',
    () =>
      level(['ElicitRequestFormParams', 'ElicitRequestURLParams'], {
        requestedSchema: ['itself', () => FIELD],
      }),
  ],
});
const RESPONSE = level(['JSONRPCResultResponse'], {
  result: [
    'itself',
    () =>
      level(['InputRequiredResult', 'CallToolResult', 'DiscoverResult', 'ListToolsResult'], {
        _meta: ['itself', () => META],
        inputRequests: ['free', () => INPUT_REQUEST],
        tools: ['list', () => level(['Tool'])],
      }),
  ],
});

/** How a letter may be written so that some reader takes it for itself. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  s: ['\u017f', '\u24e2'],
  k: ['\u212a'],
  i: ['\u0130', '\u0131', '\u2170'],
  m: ['\u217f', '\ud835\udc26'],
  t: ['\u1d40'],
};

/** Names near `name`, without being it. */
function variantOf(name: string, at: number, how: number): string {
  const from = at % name.length;
  const letter = name[from] ?? '';
  const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
  const wide = /[!-~]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter;
  const ways = [other, wide, ...(ALIKE[letter.toLowerCase()] ?? [])];
  return name.slice(0, from) + (ways[how % ways.length] ?? '') + name.slice(from + 1);
}

interface Made {
  readonly text: string;
  /** A variant of a name stands where the name has a meaning. */
  readonly variant: boolean;
}

const free: fc.Arbitrary<string> = fc.constantFrom(
  ...['1', '"x"', 'null', '[]', '{}', '{"Method":1}', '[{"Type":1}]', '{"RequestState":{"ACTION":[]}}'],
);
const foreign = fc.constantFrom(
  'x',
  'com.example/Method',
  'a.b/RequestState',
  '__proto__',
  'constructor',
  '',
);

/** Text of an object of this level: some of its names, foreign ones, and seldom a variant. */
function objectOf({ names, inner }: Level, depth: number): fc.Arbitrary<Made> {
  const value = (name: string): fc.Arbitrary<Made> => {
    const below = inner[name];
    const other = free.map((text) => ({ text: below === undefined ? text : '0', variant: false }));
    if (below === undefined || depth === 0) return other;
    const [how, next] = below;
    const item = objectOf(next(), depth - 1);
    return fc.oneof(
      { weight: 4, arbitrary: how === 'itself' ? item : fc.array(item, { maxLength: 2 }).chain(within(how)) },
      other,
    );
  };
  const member = fc
    .tuple(fc.constantFrom(...names), fc.nat(39), fc.nat(), fc.nat())
    .chain(([name, odd, at, how]) => {
      const written = odd === 0 ? variantOf(name, at, how) : name;
      // Not every letter has another case.
      const variant = written !== name;
      return (variant ? free.map((text) => ({ text, variant })) : value(name)).map((made) => ({
        ...made,
        name: written,
      }));
    });
  const other = fc.tuple(foreign, free).map(([name, text]) => ({ name, text, variant: false }));
  const members = fc.uniqueArray(fc.oneof({ weight: 5, arbitrary: member }, other), {
    selector: ({ name }) => name,
    maxLength: 6,
  });
  return members.map((all) => ({
    text: `{${all.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join()}}`,
    variant: all.some(({ variant }) => variant),
  }));
}

function within(how: 'list' | 'free'): (items: readonly Made[]) => fc.Arbitrary<Made> {
  return (items) => {
    const variant = items.some((item) => item.variant);
    const texts = items.map(({ text }) => text);
    if (how === 'list') return fc.constant({ text: `[${texts}]`, variant });
    const names = fc.constantFrom(['Method', 'method'], ['RequestState', 'Type'], ['', 'a'], ['ID', '0']);
    return names.map((keys) => ({
      text: `{${texts.map((text, index) => `${JSON.stringify(keys[index])}:${text}`)}}`,
      variant,
    }));
  };
}

/** Every way that names a member whose name has a meaning; `*` is any free name or index. */
function* waysOf(
  { names, inner }: Level,
  depth: number,
  way: readonly string[] = [],
): Generator<readonly string[]> {
  for (const name of names) {
    yield [...way, name];
    const [how, next] = inner[name] ?? [];
    if (next !== undefined && depth > 0)
      yield* waysOf(next(), depth - 1, [...way, name, ...(how === 'itself' ? [] : ['*'])]);
  }
}

/** What stands at the way for a reader that takes the last member whose name matches. */
function lookUp(
  value: unknown,
  [step, ...rest]: readonly string[],
  matches: (name: string, step: string) => boolean,
): unknown {
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Object.entries(value);
  if (step === '*') return members.map(([name, item]) => [name, lookUp(item, rest, matches)]);
  if (Array.isArray(value)) return undefined;
  return lookUp(members.findLast(([name]) => matches(name, step))?.[1], rest, matches);
}

const exactly = (name: string, step: string) => name === step;
/** Simple case folding, as in Go's encoding/json. */
const caselessly = (name: string, step: string) =>
  new RegExp(`^${step.replaceAll(/[^\w]/g, '\\$&')}$`, 'iu').test(name);

describe('a member named almost like one of the protocol', () => {
  it.each([
    ['request', REQUEST, readRequest, 3],
    ['response', RESPONSE, readResponse, 7],
  ] as const)('is found in a %s exactly where the name has a meaning', async (_, root, read, depth) => {
    const seen = new Seen(['variant', 'none']);
    const ways = [...waysOf(root, depth)].filter((way) => way.length > 1);
    const property = fc.property(objectOf(root, depth), fc.nat(), ({ text, variant }, choice) => {
      const { fault, value }: Reading = read(Buffer.from(text));
      seen.add(variant ? 'variant' : 'none');
      expect(fault).toBe(variant ? 'variant-member' : undefined);
      if (fault !== undefined) return;
      const way = ways[choice % ways.length] ?? [];
      expect(lookUp(value, way, caselessly)).toEqual(lookUp(value, way, exactly));
    });
    await fuzz(property, { cases: 1_000, seen });
  });
});
