/** The scanner and the reading of bodies, against a reader that takes one character after another. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges } from '../../src/protocol/changes.js';
import { findRepeated, lexemeAt, measure, spanOf } from '../../src/protocol/json.js';
import { compose } from '../../src/protocol/parse.js';
import { MAX_DEPTH, type ReadFault, readRequest, readResponse } from '../../src/protocol/reading.js';
import { depthOf, type Found, placesIn, readTree, repeatsName, type Tree } from '../oracle/slow-json.js';
import { readUtf8Slowly } from '../oracle/slow-utf8.js';
import { fuzz, Seen } from '../support/fuzz.js';
import { jsonText, tamper, tampering } from './json-texts.js';

const tampered = fc
  .tuple(jsonText, fc.array(tampering, { maxLength: 3 }))
  .map(([text, changes]) => changes.reduce(tamper, text));
/** Around the deepest that is read, and sometimes closed wrongly. */
const deep = fc
  .tuple(tampered, fc.integer({ min: MAX_DEPTH - 4, max: MAX_DEPTH + 2 }), fc.nat(9), fc.boolean())
  .map(([text, depth, wrong, named]) => {
    const [open, close] = named ? ['{"a":', '}'] : ['[', ']'];
    return open.repeat(depth) + text + close.repeat(wrong === 0 ? depth - 1 : depth);
  });
const spoilt = fc
  .tuple(tampered, fc.uint8Array({ minLength: 1, maxLength: 4 }), fc.nat())
  .map(([text, bytes, at]) => {
    const whole = Buffer.from(text);
    const cut = at % (whole.length + 1);
    return Buffer.concat([whole.subarray(0, cut), bytes, whole.subarray(cut)]);
  });
const body = fc.oneof(
  { weight: 8, arbitrary: tampered.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: deep.map((text) => Buffer.from(text)) },
  { weight: 4, arbitrary: spoilt },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('', ' ', '\ufeff')
      .chain((start) => fc.constantFrom('', '{}', '\n').map((end) => Buffer.from(start + end))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
);

/** Every fault that a careful reader finds in a body; variants of protocol names are not looked for. */
function carefully(bytes: Buffer, maxDepth: number): { faults: readonly ReadFault[]; slow?: Tree } {
  const text = readUtf8Slowly([...bytes]);
  if (text === undefined) return { faults: ['not-utf8'] };
  if (text.startsWith('\ufeff')) return { faults: ['bom'] };
  if (text.trim() === '') return { faults: ['empty'] };
  const slow = readTree(text);
  if (slow === undefined) return { faults: ['not-json'] };
  const faults: ReadFault[] = [];
  if (depthOf(slow) > maxDepth) faults.push('too-deep');
  if (repeatsName(slow)) faults.push('duplicate-member');
  return { faults, slow };
}

describe('reading a body', () => {
  it.each([
    ['request', readRequest, Number.POSITIVE_INFINITY, []],
    ['response', readResponse, MAX_DEPTH, ['too-deep']],
  ] as const)('of a %s says what a careful reader says', async (_, read, maxDepth, more) => {
    const seen = new Seen(['read', 'not-json', 'duplicate-member', 'not-utf8', 'bom', 'empty', ...more]);
    const property = fc.property(body, (bytes) => {
      const reading = read(bytes);
      if (reading.fault === 'variant-member') return seen.add('variant');
      const { faults, slow } = carefully(bytes, maxDepth);
      seen.add(reading.fault ?? 'read');
      if (reading.fault !== undefined) {
        expect(faults).toContain(reading.fault);
        return;
      }
      expect(faults).toEqual([]);
      if (slow === undefined) return;
      expect(reading.depth).toBe(depthOf(slow));
      const value = JSON.stringify(parsed(bytes.toString(), slow));
      expect(JSON.stringify(reading.value)).toBe(value);
      expect(JSON.stringify(compose(bytes.toString()))).toBe(value);
    });
    await fuzz(property, { cases: 1_000, seen });
  });

  it('names the member that is there twice', async () => {
    const property = fc.property(jsonText, (text) => {
      const { fault, at } = readRequest(Buffer.from(text));
      fc.pre(fault === 'duplicate-member' && at.length < 200);
      const way = at.split('/').slice(1);
      const names = way.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
      const twice = [...placesIn(readTree(text) as Tree)].filter(
        ({ path }) => path.length === names.length && path.every((step, index) => `${step}` === names[index]),
      );
      expect(twice.length).toBeGreaterThan(1);
    });
    await fuzz(property, { cases: 300 });
  });
});

/** What a parser that keeps the last of equal names makes of it. */
function parsed(text: string, slow: Tree): unknown {
  switch (slow.kind) {
    case 'array':
      return slow.items.map((item) => parsed(text, item));
    case 'object':
      return Object.fromEntries(slow.members.map(({ name, value }) => [name, parsed(text, value)]));
    case 'string':
      return slow.value;
    case 'number':
      return Number(text.slice(slow.start, slow.end));
    default:
      return JSON.parse(slow.kind);
  }
}

describe('the scanner', () => {
  it('measures as a careful reader does', async () => {
    const property = fc.property(jsonText, (text) => {
      const slow = readTree(text) as Tree;
      const { depth, repeats } = measure(text, compose(text));
      expect(repeats).toBe(repeatsName(slow));
      if (!repeats) expect(depth).toBe(depthOf(slow));
      expect(findRepeated(text) !== undefined).toBe(repeatsName(slow));
    });
    await fuzz(property, { cases: 1_000 });
  });

  it('finds every value where a careful reader does', async () => {
    const property = fc.property(jsonText, (text) => {
      const places = [...placesIn(readTree(text) as Tree)];
      for (const { path } of places) {
        const there = last(places, path);
        expect(spanOf(text, path)).toEqual(there && { start: there.start, end: there.end });
        expect(lexemeAt(text, path)).toBe(there && text.slice(there.start, there.end));
      }
      expect(spanOf(text, ['no such name', 0])).toBeUndefined();
    });
    await fuzz(property, { cases: 1_000 });
  });

  it('changes one value and no other byte', async () => {
    const property = fc.property(jsonText, jsonText, fc.nat(), (text, json, choice) => {
      const slow = readTree(text) as Tree;
      fc.pre(!repeatsName(slow));
      const places = [...placesIn(slow)].filter(({ path }) => path.length > 0);
      fc.pre(places.length > 0);
      const { path, value } = places[choice % places.length] as Found;
      const changed = applyChanges(text, [{ path, json }]);
      expect(changed).toBe(text.slice(0, value.start) + json + text.slice(value.end));
    });
    await fuzz(property, { cases: 1_000 });
  });

  it('takes one value away and leaves the others as they are', async () => {
    const property = fc.property(jsonText, fc.nat(), (text, choice) => {
      const slow = readTree(text) as Tree;
      fc.pre(!repeatsName(slow));
      const places = [...placesIn(slow)].filter(({ path }) => path.length > 0);
      fc.pre(places.length > 0);
      const { path } = places[choice % places.length] as Found;
      const without = readTree(applyChanges(text, [{ path, json: undefined }]));
      expect(without).toBeDefined();
      const expected = remove(compose(text), path);
      expect(compose(applyChanges(text, [{ path, json: undefined }]))).toEqual(expected);
    });
    await fuzz(property, { cases: 1_000 });
  });
});

/** Of equal names the last, at every step of the way. */
function last(places: readonly Found[], path: readonly (string | number)[]): Tree | undefined {
  let at = places[0]?.value;
  for (const step of path) {
    if (typeof step === 'number') at = at?.kind === 'array' ? at.items[step] : undefined;
    else at = at?.kind === 'object' ? at.members.findLast(({ name }) => name === step)?.value : undefined;
  }
  return at;
}

function remove(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  const copy: unknown = Array.isArray(value)
    ? [...value]
    : Object.fromEntries(Object.entries(value as object));
  const container = copy as Record<string | number, unknown>;
  if (rest.length > 0) define(container, step as string, remove(container[step as string], rest));
  else if (Array.isArray(copy)) copy.splice(step as number, 1);
  else delete container[step as string];
  return copy;
}

/** `__proto__` is an ordinary name. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
