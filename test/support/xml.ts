/** A strict reader of the XML that reports are made of: throws where a document is not well formed. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Of the element itself, not of those in it. */
  readonly text: string;
}

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const TOKEN = /<\?xml [^?]*\?>|<\/([\w.-]+)>|<([\w.-]+)((?: [\w.-]+="[^"<]*")*)(\/?)>|([^<]+)/uy;
const ATTRIBUTE = /([\w.-]+)="([^"<]*)"/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

export function parseXml(text: string): Element {
  if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(text))
    throw new Error('a character that XML has not');
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const open: Open[] = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`not well formed at ${at}`);
    const [, ended, begun, attributes = '', closed, words] = match;
    const top = open.at(-1) as Open;
    if (words !== undefined) top.text += unescaped(words);
    if (begun !== undefined) {
      const element: Open = { name: begun, attributes: attributesIn(attributes), children: [], text: '' };
      top.children.push(element);
      if (closed === '') open.push(element);
    }
    if (ended !== undefined && (open.pop() as Open).name !== ended)
      throw new Error(`</${ended}> ends nothing`);
  }
  const [only, ...others] = root.children;
  if (open.length !== 1 || only === undefined || others.length > 0 || root.text.trim() !== '')
    throw new Error('not one element');
  return only;
}

export function elementsOf(element: Element, name: string): readonly Element[] {
  const below = element.children.flatMap((child) => elementsOf(child, name));
  return element.name === name ? [element, ...below] : below;
}

function attributesIn(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(ATTRIBUTE)].map(
    ([, name = '', value = '']) => [name, unescaped(value)] as const,
  );
  if (new Set(found.map(([name]) => name)).size < found.length) throw new Error('an attribute stands twice');
  return Object.fromEntries(found);
}

function unescaped(text: string): string {
  return text.replace(/&(\w*);?/g, (whole, name: string) => {
    const character = ENTITIES.get(name);
    if (character === undefined || !whole.endsWith(';')) throw new Error('an entity that XML has not');
    return character;
  });
}
