/** Values that variables and flags lay over the file. */
import { isArray, isObject, type JsonValue } from '../protocol/messages.js';
import { type KeyPath, pathText } from './key-path.js';
import type { Problem } from './loaded.js';

export interface Overlay {
  readonly path: KeyPath;
  readonly value: JsonValue;
  readonly origin: 'env' | 'flag';
  /** The variable's or flag's name, for messages. */
  readonly source: string;
}

type Mutable = Record<string, JsonValue> | JsonValue[];

/** Lays them over `root` in order, making routes and sections that are missing. */
export function applyOverlays(
  root: Record<string, JsonValue>,
  overlays: readonly Overlay[],
  problems: Problem[],
): void {
  for (const overlay of overlays) {
    const parent = parentOf(root, overlay.path);
    if (parent !== undefined) setMember(parent, overlay.path.at(-1) as string | number, overlay.value);
    else
      problems.push({
        path: overlay.source,
        message: `there is nothing at ${pathText(overlay.path)} to set`,
      });
  }
}

function parentOf(root: Record<string, JsonValue>, path: KeyPath): Mutable | undefined {
  let parent: Mutable = root;
  for (const [index, name] of path.slice(0, -1).entries()) {
    let next: JsonValue | undefined = getMember(parent, name);
    if (next === undefined && isNext(parent, name)) {
      next = typeof path[index + 1] === 'number' ? [] : {};
      setMember(parent, name, next);
    }
    if (!isObject(next) && !isArray(next)) return undefined;
    parent = next as Mutable;
  }
  return parent;
}

/** Lists grow at their end only. */
function isNext(parent: Mutable, name: string | number): boolean {
  return !Array.isArray(parent) || name === parent.length;
}

function getMember(parent: Mutable, name: string | number): JsonValue | undefined {
  return Object.hasOwn(parent, name) ? (parent as Record<string | number, JsonValue>)[name] : undefined;
}

function setMember(parent: Mutable, name: string | number, value: JsonValue): void {
  Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
}
