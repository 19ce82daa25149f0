/**
 * RFC 8259, read one character after another: what the gateway's scanner and its parser are held against. It keeps what
 * JSON.parse forgets: repeated names, how numbers are written, and where every value stands.
 */

export type Tree = Place &
  (
    | { readonly kind: 'null' | 'true' | 'false' }
    | { readonly kind: 'number'; readonly lexeme: string }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'array'; readonly items: readonly Tree[] }
    | { readonly kind: 'object'; readonly members: readonly Member[] }
  );

/** Offsets into the text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly name: string;
  readonly value: Tree;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** The bytes as text; undefined when they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined: the text is not one JSON value. */
export function readTree(text: string): Tree | undefined {
  try {
    return new Reader(text).whole();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class Reader {
  #at = 0;

  constructor(readonly text: string) {}

  whole(): Tree {
    this.#space();
    const value = this.#value();
    this.#space();
    if (this.#at !== this.text.length) this.#fail();
    return value;
  }

  #fail(): never {
    throw new SyntaxError(`at ${this.#at}`);
  }

  #next(): string {
    return this.text[this.#at] ?? this.#fail();
  }

  #take(expected: string): void {
    for (const character of expected) {
      if (this.#next() !== character) this.#fail();
      this.#at += 1;
    }
  }

  #space(): void {
    while (' \t\n\r'.includes(this.text[this.#at] ?? 'x')) this.#at += 1;
  }

  #value(): Tree {
    const start = this.#at;
    const first = this.#next();
    switch (first) {
      case '{':
        return this.#object(start);
      case '[':
        return this.#array(start);
      case '"':
        return { kind: 'string', value: this.#string(), start, end: this.#at };
      case 'n':
      case 't':
      case 'f': {
        const kind = first === 'n' ? 'null' : first === 't' ? 'true' : 'false';
        this.#take(kind);
        return { kind, start, end: this.#at };
      }
      default:
        return { kind: 'number', lexeme: this.#number(), start, end: this.#at };
    }
  }

  #object(start: number): Tree {
    const members: Member[] = [];
    this.#take('{');
    this.#space();
    if (this.#next() !== '}') {
      do {
        if (members.length > 0) this.#take(',');
        this.#space();
        const name = this.#string();
        this.#space();
        this.#take(':');
        this.#space();
        members.push({ name, value: this.#value() });
        this.#space();
      } while (this.#next() === ',');
    }
    this.#take('}');
    return { kind: 'object', members, start, end: this.#at };
  }

  #array(start: number): Tree {
    const items: Tree[] = [];
    this.#take('[');
    this.#space();
    if (this.#next() !== ']') {
      do {
        if (items.length > 0) this.#take(',');
        this.#space();
        items.push(this.#value());
        this.#space();
      } while (this.#next() === ',');
    }
    this.#take(']');
    return { kind: 'array', items, start, end: this.#at };
  }

  #string(): string {
    let value = '';
    this.#take('"');
    for (;;) {
      const unit = this.#next();
      this.#at += 1;
      if (unit === '"') return value;
      if (unit < ' ') this.#fail();
      value += unit === '\\' ? this.#escape() : unit;
    }
  }

  #escape(): string {
    const escaped = this.#next();
    this.#at += 1;
    if (escaped !== 'u') return Object.hasOwn(ESCAPES, escaped) ? (ESCAPES[escaped] ?? '') : this.#fail();
    const digits = this.text.slice(this.#at, this.#at + 4);
    if (!/^[\da-f]{4}$/i.test(digits)) this.#fail();
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(): string {
    const written = /-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?/iy;
    written.lastIndex = this.#at;
    const lexeme = written.exec(this.text)?.[0] ?? this.#fail();
    this.#at += lexeme.length;
    return lexeme;
  }
}

export interface Found {
  readonly path: readonly (string | number)[];
  readonly value: Tree;
}

/** Every value of the text, outermost first, with the names and indexes that lead to it. */
export function* placesIn(value: Tree, path: readonly (string | number)[] = []): Generator<Found> {
  yield { path, value };
  if (value.kind === 'array')
    for (const [index, item] of value.items.entries()) yield* placesIn(item, [...path, index]);
  if (value.kind === 'object')
    for (const member of value.members) yield* placesIn(member.value, [...path, member.name]);
}

/** Some object names a member twice. */
export function repeatsName(tree: Tree): boolean {
  const names = tree.kind === 'object' ? tree.members.map(({ name }) => name) : [];
  return new Set(names).size < names.length || childrenOf(tree).some(repeatsName);
}

/** How deep arrays and objects nest; a scalar is 0. */
export function depthOf(tree: Tree): number {
  const inner = childrenOf(tree).map(depthOf);
  return tree.kind === 'object' || tree.kind === 'array' ? 1 + Math.max(0, ...inner) : 0;
}

/** The last member of this name, which is the one that most parsers keep. */
export function memberOf(tree: Tree | undefined, name: string): Tree | undefined {
  return tree?.kind === 'object' ? tree.members.findLast((member) => member.name === name)?.value : undefined;
}

function childrenOf(tree: Tree): readonly Tree[] {
  if (tree.kind === 'object') return tree.members.map(({ value }) => value);
  return tree.kind === 'array' ? tree.items : [];
}
