/** JSON of about so many bytes, by what it is made of. */

export interface Shape {
  readonly name: string;
  readonly title: string;
  readonly json: (bytes: number) => string;
}

/** Within the limit of nesting, with room for what is around it. */
const DEPTH = 400;

/** As many of these as fit, in an array. */
function arrayOf(bytes: number, element: (index: number) => string): string {
  const parts: string[] = [];
  for (let length = 2, index = 0; length < bytes; index += 1) {
    const text = element(index);
    parts.push(text);
    length += text.length + 1;
  }
  return `[${parts.join(',')}]`;
}

function textOf(bytes: number, line: string): string {
  const each = Buffer.byteLength(JSON.stringify(line)) - 2;
  return JSON.stringify(line.repeat(Math.floor(bytes / each)));
}

function manyKeys(bytes: number): string {
  const members = arrayOf(bytes, (index) => `"key_${index}":${index % 10}`);
  return `{${members.slice(1, -1)}}`;
}

const LINE = '192.0.2.1 AS 64500 established, 812431 prefixes received, up 3 weeks 2 days 4 hours\n';

export const SHAPES: readonly Shape[] = [
  { name: 'text', title: 'lines of text', json: (bytes) => textOf(bytes, LINE) },
  {
    name: 'foreign-text',
    title: 'text beyond ASCII',
    json: (bytes) => textOf(bytes, '経路は確立されています。\n'),
  },
  { name: 'escapes', title: 'escaped characters', json: (bytes) => textOf(bytes, '"\\\n"\t\\"\n') },
  { name: 'numbers', title: 'numbers', json: (bytes) => arrayOf(bytes, (index) => String(index * 1.37)) },
  {
    name: 'dense',
    title: 'small members',
    json: (bytes) => arrayOf(bytes, (index) => `{"id":${index},"up":true}`),
  },
  { name: 'keys', title: 'one object of many keys', json: manyKeys },
  {
    name: 'deep',
    title: `arrays nested ${DEPTH} deep`,
    json: (bytes) => arrayOf(bytes, () => '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
  },
];

export function shapeOf(name: string): Shape {
  const found = SHAPES.find((shape) => shape.name === name);
  if (found === undefined) throw new Error(`no shape ${name}`);
  return found;
}

/** A result that is mostly this. */
export function resultOf(shape: Shape, bytes: number): string {
  const json = shape.json(bytes);
  const text = shape.name === 'text' || shape.name === 'foreign-text' || shape.name === 'escapes';
  const content = `"content":[{"type":"text","text":${text ? json : '"as structured"'}}]`;
  const structured = text ? '' : `,"structuredContent":{"rows":${json}}`;
  return `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",${content}${structured},"isError":false}}`;
}
