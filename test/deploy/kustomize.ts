/** As much of Kustomize as deploy/kubernetes uses; whatever else a kustomization says is an error here. */
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export type Value = null | boolean | number | string | readonly Value[] | Manifest;
export interface Manifest {
  [name: string]: Value;
}

export interface Resource extends Manifest {
  apiVersion: string;
  kind: string;
  metadata: Manifest & { name: string };
}

interface Target {
  readonly kind: string;
  readonly name: string;
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: Value;
}

interface Kustomization {
  readonly resources?: readonly string[];
  readonly namespace?: string;
  readonly images?: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[];
  readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[];
  readonly generatorOptions?: { readonly disableNameSuffixHash: true };
  readonly patches?: readonly { readonly path: string; readonly target?: Target }[];
}

const KNOWN = [
  ...['apiVersion', 'kind', 'resources', 'namespace', 'images', 'configMapGenerator', 'generatorOptions'],
  'patches',
];
const CLUSTER_WIDE = ['Namespace'];
/** Lists that a strategic merge patch merges, and the member that tells their items apart. */
const MERGE_KEYS = new Map([
  ['containers', 'name'],
  ['initContainers', 'name'],
  ['volumes', 'name'],
  ['env', 'name'],
  ['volumeMounts', 'mountPath'],
]);

export function readManifests(file: string): readonly Resource[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Resource);
}

/** The resources that `kustomize build` prints for this folder. */
export function build(folder: string): readonly Resource[] {
  const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  const unknown = Object.keys(kustomization).filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) throw new Error(`${folder}: ${unknown.join(', ')} is not understood here`);
  const { resources = [], patches = [], images = [], configMapGenerator = [], namespace } = kustomization;
  const built = resources.flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? build(path) : readManifests(path);
  });
  if (configMapGenerator.length > 0 && kustomization.generatorOptions?.disableNameSuffixHash !== true)
    throw new Error(`${folder}: suffixes of names are not understood here`);
  built.push(...configMapGenerator.map((generated) => configMapOf(folder, generated)));
  for (const { path, target } of patches)
    patch(built, parse(readFileSync(join(folder, path), 'utf8')), target);
  for (const image of images) rename(built, image);
  if (namespace !== undefined)
    for (const resource of built)
      if (!CLUSTER_WIDE.includes(resource.kind)) resource.metadata.namespace = namespace;
  return built;
}

function configMapOf(folder: string, { name, files }: { name: string; files: readonly string[] }): Resource {
  const data = files.map((file) => [basename(file), readFileSync(join(folder, file), 'utf8')] as const);
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: Object.fromEntries(data) };
}

function patch(
  resources: Resource[],
  content: readonly Operation[] | Resource,
  target: Target | undefined,
): void {
  const { kind, name } = target ?? {
    kind: (content as Resource).kind,
    name: (content as Resource).metadata.name,
  };
  const found = resources.filter((one) => one.kind === kind && one.metadata.name === name);
  const [resource] = found;
  if (resource === undefined || found.length > 1)
    throw new Error(`a patch is for ${kind} ${name}, of which there is no one`);
  if (Array.isArray(content)) for (const operation of content) operate(resource, operation);
  else merge(resource, content as Resource);
}

/** Strategic merge: objects by member, the lists above by key, all else replaced; null takes away. */
function merge(into: Manifest, from: Manifest): void {
  for (const [name, value] of Object.entries(from)) {
    if (name.startsWith('$')) throw new Error(`${name} is not understood here`);
    const before = into[name];
    const key = MERGE_KEYS.get(name);
    if (value === null) delete into[name];
    else if (isManifest(value) && isManifest(before)) merge(before, value);
    else if (key !== undefined && Array.isArray(value) && Array.isArray(before)) {
      for (const item of value as Manifest[]) {
        const same = (before as Manifest[]).find((one) => one[key] === item[key]);
        if (same === undefined) before.push(item);
        else merge(same, item);
      }
    } else into[name] = value;
  }
}

/** RFC 6902. */
function operate(resource: Resource, { op, path, value = null }: Operation): void {
  const steps = path.split('/').slice(1);
  const last = steps.pop() ?? '';
  let at: Value = resource;
  for (const step of steps) {
    if (!isManifest(at) || !(step in at)) throw new Error(`there is no ${path}`);
    at = at[step] as Value;
  }
  if (Array.isArray(at) && op === 'add' && last === '-') (at as Value[]).push(value);
  else if (isManifest(at) && last in at && op === 'replace') at[last] = value;
  else if (isManifest(at) && last in at && op === 'remove') delete at[last];
  else throw new Error(`${op} ${path} is not understood here`);
}

function rename(
  resources: readonly Resource[],
  image: { name: string; newName: string; newTag: string },
): void {
  const containers = resources.flatMap(containersOf).filter((one) => one.image === image.name);
  if (containers.length === 0) throw new Error(`no container has the image ${image.name}`);
  for (const container of containers) container.image = `${image.newName}:${image.newTag}`;
}

function containersOf({ spec }: Resource): readonly Manifest[] {
  const pod = member(member(spec, 'template'), 'spec');
  return ['initContainers', 'containers'].flatMap((name) => {
    const list = member(pod, name);
    return Array.isArray(list) ? (list as Manifest[]) : [];
  });
}

function member(value: Value | undefined, name: string): Value | undefined {
  return value !== undefined && isManifest(value) ? value[name] : undefined;
}

function isManifest(value: Value | undefined): value is Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
