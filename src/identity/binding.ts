/** A hash for whoever asks: what kind of knowledge it is made of, and that knowledge. */
import { hash } from 'node:crypto';
import type { Identified } from '../engine/identity.js';

const LENGTH = 22;

/** 128 bits: to be taken for somebody one has to find a second preimage. */
export function bindingOf(kind: string, ...parts: readonly string[]): string {
  let framed = '';
  for (const part of [kind, ...parts]) framed += `${Buffer.byteLength(part)}:${part}`;
  return hash('sha256', framed, 'base64url').slice(0, LENGTH);
}

export function known(binding: string): Identified {
  return { kind: 'known', identity: { binding } };
}

export const NOBODY: Identified = Object.freeze(known(''));
