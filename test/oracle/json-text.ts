/** A slow reading of JSON text (RFC 8259) that keeps what JSON.parse forgets: repeated names and how numbers are written. */

export type Tree =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Tree])[] }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly lexeme: string }
  | { readonly kind: 'literal'; readonly value: boolean | null };

const LITERALS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

/** The bytes as text; undefined when they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined when the text is not one JSON value. */
export function readTree(text: string): Tree | undefined {
  let at = 0;

  function space(): void {
    while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at += 1;
  }
  function expect(character: string): void {
    if (text[at] !== character) throw new SyntaxError('not JSON');
    at += 1;
  }
  function value(): Tree {
    space();
    const found = bare();
    space();
    return found;
  }
  function bare(): Tree {
    if (text[at] === '{') return object();
    if (text[at] === '[') return array();
    if (text[at] === '"') return { kind: 'string', value: string() };
    const literal = LITERALS.find(([word]) => text.startsWith(word, at));
    if (literal !== undefined) {
      at += literal[0].length;
      return { kind: 'literal', value: literal[1] };
    }
    return number();
  }
  function number(): Tree {
    const lexeme = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(text.slice(at, at + 400))?.[0];
    if (lexeme === undefined) throw new SyntaxError('not JSON');
    at += lexeme.length;
    return { kind: 'number', lexeme };
  }
  function string(): string {
    const start = at;
    expect('"');
    while (text[at] !== '"') {
      if (at >= text.length) throw new SyntaxError('not JSON');
      at += text[at] === '\\' ? 2 : 1;
    }
    at += 1;
    // Escapes and control characters are a string's own matter, and the same in every parser.
    return JSON.parse(text.slice(start, at)) as string;
  }
  function array(): Tree {
    const items: Tree[] = [];
    expect('[');
    space();
    if (text[at] === ']') at += 1;
    else
      for (;;) {
        items.push(value());
        if (text[at] === ']') break;
        expect(',');
      }
    if (items.length > 0) expect(']');
    return { kind: 'array', items };
  }
  function object(): Tree {
    const members: [string, Tree][] = [];
    expect('{');
    space();
    if (text[at] === '}') at += 1;
    else
      for (;;) {
        space();
        const name = string();
        space();
        expect(':');
        members.push([name, value()]);
        if (text[at] === '}') break;
        expect(',');
      }
    if (members.length > 0) expect('}');
    return { kind: 'object', members };
  }

  try {
    const whole = value();
    return at === text.length ? whole : undefined;
  } catch {
    return undefined;
  }
}

/** How deep arrays and objects nest; a scalar is 0. */
export function depthOf(tree: Tree): number {
  const inner = childrenOf(tree).map(depthOf);
  return tree.kind === 'object' || tree.kind === 'array' ? 1 + Math.max(0, ...inner) : 0;
}

export function repeatsName(tree: Tree): boolean {
  const names = tree.kind === 'object' ? tree.members.map(([name]) => name) : [];
  return new Set(names).size < names.length || childrenOf(tree).some(repeatsName);
}

/** The last member of this name, which is the one that most parsers keep. */
export function memberOf(tree: Tree | undefined, name: string): Tree | undefined {
  return tree?.kind === 'object' ? tree.members.findLast(([own]) => own === name)?.[1] : undefined;
}

function childrenOf(tree: Tree): readonly Tree[] {
  if (tree.kind === 'object') return tree.members.map(([, inner]) => inner);
  return tree.kind === 'array' ? tree.items : [];
}
