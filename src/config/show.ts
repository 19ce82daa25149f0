/** The effective configuration as YAML: every value with its origin, no secret. */
import { Document, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isArray, isObject, type JsonValue } from '../protocol/messages.js';
import { type KeyPath, pathText } from './key-path.js';
import { shapeAt } from './keys.js';
import type { LoadedConfig } from './loaded.js';

const MASK = '***';
/** Text that holds no more of a secret than the name of a variable. */
const ONLY_REFERENCES = /^(Bearer |Basic )?(\$\{[A-Za-z0-9_]+\})+$/i;
type YamlNode = Scalar | YAMLMap | YAMLSeq;

export function showConfig(loaded: LoadedConfig): string {
  const document = new Document();
  document.contents = mapOf(loaded.config as unknown as Record<string, JsonValue>, [], loaded) as never;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function nodeOf(value: JsonValue, path: KeyPath, loaded: LoadedConfig): YamlNode {
  const written = loaded.written.get(pathText(path));
  if (written !== undefined) return leaf(safe(written, path), path, loaded);
  if (isArray(value) && value.some(isObject)) {
    const list = new YAMLSeq();
    list.items = value.map((one, index) => nodeOf(one, [...path, index], loaded));
    return list;
  }
  if (isObject(value) && Object.keys(value).length > 0) return mapOf(value, path, loaded);
  if (isArray(value)) {
    const entries = value.map((entry, index) => {
      const at = [...path, index];
      return safe(loaded.written.get(pathText(at)) ?? entry, at);
    });
    return leaf(entries, path, loaded);
  }
  return leaf(safe(value, path), path, loaded);
}

/** Members in the schema's order; free names in theirs. */
function mapOf(value: Readonly<Record<string, JsonValue>>, path: KeyPath, loaded: LoadedConfig): YAMLMap {
  const map = new YAMLMap();
  const known = Object.keys(shapeAt(path)?.properties ?? {});
  for (const name of new Set([...known, ...Object.keys(value)])) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined)
      map.items.push(new Pair(new Scalar(name), nodeOf(member, [...path, name], loaded)));
  }
  return map;
}

function leaf(value: JsonValue, path: KeyPath, { origins }: LoadedConfig): YamlNode {
  const node = new Document(value).contents as YamlNode;
  if (!(node instanceof Scalar)) node.flow = true;
  node.comment = ` ${origins.get(pathText(path)) ?? 'default'}`;
  return node;
}

/** The value without what must not be printed: secrets, and the query of a URL, which may carry one. */
function safe(value: JsonValue, path: KeyPath): JsonValue {
  if (typeof value !== 'string') return value;
  if (shapeAt(path)?.secret === true) return ONLY_REFERENCES.test(value) ? value : MASK;
  return path.at(-1) === 'url' ? value.replace(/\?.*$/s, `?${MASK}`) : value;
}
