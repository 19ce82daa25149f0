/** What can be read of a configuration that may be wrong in places, so that checks across keys report along with the rest. */
import type { Profile } from '../engine/rule.js';
import {
  arrayMember,
  isObject,
  type JsonObject,
  type JsonValue,
  objectMember,
  stringMember,
} from '../protocol/messages.js';
import { type Fault, mcpPathFault, nameFault, passThroughFault, urlFault } from './formats.js';
import type { KeyPath } from './key-path.js';
import { PROFILES } from './profiles.js';
import { nameOf, standardState } from './route-schema.js';

const PROFILE_NAMES = Object.keys(PROFILES) as readonly Profile[];

/** A text that is fine by itself, and where it stands. */
export interface Placed {
  readonly text: string;
  readonly at: KeyPath;
}

export interface DraftRoute {
  readonly at: KeyPath;
  readonly source: JsonObject;
  readonly name: Placed | undefined;
  readonly path: Placed | undefined;
  readonly upstream: JsonObject;
  readonly upstreamUrl: URL | undefined;
  readonly passThrough: readonly Placed[];
  readonly kinds: readonly JsonValue[];
  /** As stated, or as profile and mode have it; undefined when the profile is none. */
  readonly requestState: JsonValue | undefined;
}

export function readDraftRoutes(root: JsonObject): readonly DraftRoute[] {
  return (arrayMember(root, 'routes') ?? []).flatMap((route, index) =>
    isObject(route) ? [readDraftRoute(route, ['routes', index])] : [],
  );
}

function readDraftRoute(source: JsonObject, at: KeyPath): DraftRoute {
  const path = sound(source.path === undefined ? '/mcp' : stringMember(source, 'path'), mcpPathFault, [
    ...at,
    'path',
  ]);
  const derived = path === undefined ? undefined : nameOf(path.text);
  const name = source.name === undefined ? derived : stringMember(source, 'name');
  const upstream = objectMember(source, 'upstream') ?? {};
  const url = sound(stringMember(upstream, 'url'), urlFault, [...at, 'upstream', 'url']);
  const profile = PROFILE_NAMES.find((name) => name === source.profile) ?? 'spec';
  const isKnown = source.profile === undefined || source.profile === profile;
  const mode = source.mode === 'report' ? 'report' : 'enforce';
  const kinds = arrayMember(objectMember(source, 'inputRequests') ?? {}, 'kinds');
  return {
    at,
    source,
    name: sound(name, nameFault, [...at, 'name']),
    path,
    upstream,
    upstreamUrl: url === undefined ? undefined : new URL(url.text),
    passThrough: (arrayMember(source, 'passThrough') ?? []).flatMap((entry, index) => {
      const placed = sound(entry, passThroughFault, [...at, 'passThrough', index]);
      return placed === undefined ? [] : [placed];
    }),
    kinds: kinds ?? PROFILES[profile].inputRequests.kinds,
    requestState: source.requestState ?? (isKnown ? standardState(profile, mode) : undefined),
  };
}

function sound(value: JsonValue | undefined, fault: Fault, at: KeyPath): Placed | undefined {
  return typeof value === 'string' && fault(value) === undefined ? { text: value, at } : undefined;
}
