/** RFC 8259, read one character after another: the reading that the gateway's scanner and its parser are held against. */

export type Slow = Place &
  (
    | { readonly kind: 'null' | 'true' | 'false' | 'number' }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'array'; readonly items: readonly Slow[] }
    | { readonly kind: 'object'; readonly members: readonly Member[] }
  );

/** Offsets into the text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly name: string;
  readonly value: Slow;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** Undefined: the text is not one JSON value. */
export function readSlowly(text: string): Slow | undefined {
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

  whole(): Slow {
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

  #value(): Slow {
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
        this.#number();
        return { kind: 'number', start, end: this.#at };
    }
  }

  #object(start: number): Slow {
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

  #array(start: number): Slow {
    const items: Slow[] = [];
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

  #number(): void {
    const found = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?/i.exec(this.text.slice(this.#at, this.#at + 400));
    if (found === null) this.#fail();
    this.#at += found[0].length;
  }
}

/** Every value of the text, outermost first, with the names and indexes that lead to it. */
export function* placesIn(value: Slow, path: readonly (string | number)[] = []): Generator<Found> {
  yield { path, value };
  if (value.kind === 'array')
    for (const [index, item] of value.items.entries()) yield* placesIn(item, [...path, index]);
  if (value.kind === 'object')
    for (const member of value.members) yield* placesIn(member.value, [...path, member.name]);
}

export interface Found {
  readonly path: readonly (string | number)[];
  readonly value: Slow;
}

/** Some object names a member twice. */
export function repeatsName(value: Slow): boolean {
  for (const { value: one } of placesIn(value)) {
    if (one.kind === 'object' && new Set(one.members.map(({ name }) => name)).size < one.members.length)
      return true;
  }
  return false;
}

/** A scalar is 0. */
export function depthOf(value: Slow): number {
  if (value.kind === 'array') return 1 + Math.max(0, ...value.items.map(depthOf));
  if (value.kind === 'object')
    return 1 + Math.max(0, ...value.members.map((member) => depthOf(member.value)));
  return 0;
}
