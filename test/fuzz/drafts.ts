/** JSON that can also be wrong: members in order, repeated, renamed, retyped, and text that spells them oddly. */
import type { Json, JsonMap } from '../oracle/values.js';
import type { Choices } from './choices.js';

export type Draft = { readonly members: [string, Draft][] } | { readonly items: Draft[] } | { text: string };

export function draftOf(value: Json): Draft {
  if (Array.isArray(value)) return { items: value.map(draftOf) };
  if (typeof value !== 'object' || value === null) return { text: JSON.stringify(value) };
  const members = Object.entries(value as JsonMap).map(([name, inner]): [string, Draft] => [
    name,
    draftOf(inner),
  ]);
  return { members };
}

/** `spaced` puts every member on a line of its own, so that an event takes several data lines. */
export function textOfDraft(draft: Draft, spaced = false): string {
  const gap = spaced ? '\n' : '';
  if ('text' in draft) return draft.text;
  if ('items' in draft) return `[${draft.items.map((item) => textOfDraft(item, spaced)).join(`,${gap}`)}]`;
  const members = draft.members.map(
    ([name, inner]) => `${quoted(name)}:${spaced ? ' ' : ''}${textOfDraft(inner, spaced)}`,
  );
  return `{${gap}${members.join(`,${gap}`)}${gap}}`;
}

/** A name that begins with this mark is written with an escape in it. */
const ESCAPED = '\u0001';

function quoted(name: string): string {
  if (!name.startsWith(ESCAPED) || name.length < 2) return JSON.stringify(name);
  const code = name.charCodeAt(1).toString(16).padStart(4, '0');
  return `"\\u${code}${JSON.stringify(name.slice(2)).slice(1)}`;
}

const STRAYS: readonly (readonly [string, string])[] = [
  ['requestState', '"s"'],
  ['requestState', '""'],
  ['requestState', 'null'],
  ['request_state', '"s"'],
  ['inputRequests', '{}'],
  ['inputRequests', '{"a":{"method":"roots/list"}}'],
  ['inputRequests', '[{"method":"roots/list"}]'],
  ['inputResponses', '{}'],
  ['inputResponses', '{"a":{"action":"accept","content":{"city":["x"]}}}'],
  ['inputResponses', '{"a":{"action":"reject"}}'],
  ['inputResponses', '[]'],
  ['elicitationId', '"e"'],
  ['method', '"elicitation/create"'],
  ['id', '1'],
  ['id', 'null'],
  ['result', '{}'],
  ['error', '{"code":-32042,"message":"m"}'],
  ['resultType', '"input_required"'],
  ['resultType', '"task"'],
  ['resultType', '"complete"'],
  ['resultType', '"partial"'],
  ['resultType', '1'],
  ['status', '"input_required"'],
  ['allOf', '[]'],
  ['$ref', '"#/$defs/a"'],
  ['oneOf', '[{"const":"a","title":"a"}]'],
  ['properties', '{"password":{"type":"string"}}'],
  ['additionalProperties', 'false'],
  ['format', '"password"'],
  ['writeOnly', 'true'],
  ['pattern', '"^a$"'],
  ['mode', '"url"'],
  ['mode', '"voice"'],
  ['tools', '[]'],
  ['toolChoice', '{}'],
  ['__proto__', '{"requestState":"s"}'],
  ['constructor', '1'],
  ['\ud800', '1'],
];
const VALUES = [
  'null',
  'true',
  '0',
  '1',
  '"1"',
  '1.5',
  '""',
  '"x"',
  '[]',
  '{}',
  '[null]',
  '{"a":1}',
  '1e400',
];
const NUMBERS = [
  '9007199254740993',
  '9007199254740992',
  '-0',
  '1.0',
  '1e0',
  '-32002',
  '-32042',
  '-32050',
  '-32021',
];

/** One thing in it made wrong, perhaps. */
export function mutate(draft: Draft, choices: Choices): Draft {
  const places = placesIn(draft);
  const { node, parent, index } = places[choices.below(places.length)] as Place;
  const kind = choices.below(9);
  if (kind === 0 && parent !== undefined) parent.splice(index, 1);
  else if (kind === 1 || kind === 8)
    replace(parent, index, { text: choices.pick(choices.once(2) ? NUMBERS : VALUES) });
  else if (kind === 2 && 'members' in node) repeat(node.members, choices);
  else if (kind === 3 && 'members' in node) recase(node.members, choices);
  else if (kind === 4 && 'members' in node) writeWithEscape(node.members, choices);
  else if ('members' in node) {
    const [name, text] = choices.pick(STRAYS);
    const own = node.members.findIndex(([known]) => known === name);
    if (own >= 0) node.members.splice(own, 1);
    node.members.splice(choices.below(node.members.length + 1), 0, [name, { text }]);
  } else if (kind === 5) replace(parent, index, nested(node, choices.pick([510, 511, 600])));
  return draft;
}

type Parent = ([string, Draft] | Draft)[];
interface Place {
  readonly node: Draft;
  readonly parent: Parent | undefined;
  readonly index: number;
}

/** Outer places first, since most of what rules read stands there. */
function placesIn(root: Draft): readonly Place[] {
  const places: Place[] = [{ node: root, parent: undefined, index: 0 }];
  for (let at = 0; at < places.length && places.length < 120; at += 1) {
    const { node } = places[at] as Place;
    if ('members' in node)
      for (const [index, [, inner]] of node.members.entries())
        places.push({ node: inner, parent: node.members, index });
    else if ('items' in node)
      for (const [index, inner] of node.items.entries())
        places.push({ node: inner, parent: node.items, index });
  }
  return places;
}

function replace(parent: Parent | undefined, index: number, draft: Draft): void {
  const old = parent?.[index];
  if (parent === undefined || old === undefined) return;
  parent[index] = Array.isArray(old) ? [old[0], draft] : draft;
}

function nested(draft: Draft, depth: number): Draft {
  return { text: `${'['.repeat(depth)}${textOfDraft(draft)}${']'.repeat(depth)}` };
}

function repeat(members: [string, Draft][], choices: Choices): void {
  const member = members[choices.below(members.length || 1)];
  if (member === undefined) return;
  const name = choices.once(2) ? `${ESCAPED}${member[0]}` : member[0];
  members.splice(choices.below(members.length + 1), 0, [name, choices.once(2) ? { text: '"x"' } : member[1]]);
}

function recase(members: [string, Draft][], choices: Choices): void {
  const index = choices.below(members.length || 1);
  const member = members[index];
  if (member === undefined) return;
  const [name, inner] = member;
  const spellings = [
    name.charAt(0).toUpperCase() + name.slice(1),
    name.toUpperCase(),
    name.toLowerCase(),
    name.replace('s', '\u017f'),
    name.replace('k', '\u212a'),
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name.replace('i', '\u0131'),
    name.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  ];
  const spelt: [string, Draft] = [choices.pick(spellings), inner];
  if (choices.once(2)) members[index] = spelt;
  else members.push(spelt);
}

function writeWithEscape(members: [string, Draft][], choices: Choices): void {
  const index = choices.below(members.length || 1);
  const member = members[index];
  if (member !== undefined) members[index] = [`${ESCAPED}${member[0]}`, member[1]];
}
