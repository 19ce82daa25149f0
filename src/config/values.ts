/** Builders of the schema's leaves, so that schema files read as the table of keys that they are. */
import { z } from 'zod';
import type { Fault } from './formats.js';

/** Beside the description: the default in words where it depends on other keys; secrets, never printed; values that `{ file }` may give. */
export interface KeyNotes {
  readonly derived?: string;
  readonly secret?: true;
  readonly file?: true;
}

/** Attaches notes; after `describe`, which they add to. */
export function noted<T extends z.ZodType>(schema: T, notes: KeyNotes): T {
  return schema.meta({ ...notes });
}

export function text(fault?: Fault) {
  const plain = z.string();
  if (fault === undefined) return plain.min(1);
  return plain.check((context) => {
    const message = fault(context.value);
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value });
  });
}

export function list(fault?: Fault) {
  return z.array(text(fault)).default([]);
}

export function unsetText(fault?: Fault) {
  return text(fault).nullable().default(null);
}

export function bytes(standard: number) {
  return z.int().min(1024).max(MAX_BYTES).default(standard);
}

export function count(standard: number) {
  return z.int().min(1).max(1_000_000).default(standard);
}

/** Milliseconds up to what a timer can count; 0 means never unless the key says otherwise. */
export function milliseconds(standard: number, least = 0) {
  return z.int().min(least).max(MAX_TIMER_MS).default(standard);
}

/** YAML 1.1 tools, template engines among them, turn `on` and `off` into booleans: those mean the same here. */
export function onOff<T extends z.ZodType>(schema: T) {
  const worded = (value: z.input<T> | boolean) =>
    typeof value === 'boolean' ? (value ? 'on' : 'off') : value;
  return z.preprocess(worded, schema);
}

const MAX_BYTES = 268_435_456;
const MAX_TIMER_MS = 2_147_483_647;
