/** Writes docs/config.md and docs/config.schema.json from the configuration's schema. `generated` is what they must hold. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ANY, CONFIG_KEYS, CONFIG_SHAPE, type ConfigKey, type Shape } from '../src/config/keys.js';
import { isArray } from '../src/protocol/messages.js';

const INTRODUCTION = `# Configuration

Generated from the schema (\`src/config/schema.ts\`) by \`npm run docs\`. Editors check a file that begins with
\`# yaml-language-server: $schema=…/config.schema.json\` against [config.schema.json](config.schema.json).

A configuration comes from a YAML or JSON file (\`--config FILE\`), from environment variables and from flags. Flags win over
variables, variables over the file, the file over the defaults below. \`mrtr-gateway validate FILE\` prints the result, each value
with its origin. Every problem is reported at once, with its place; the exit code is then 2 and nothing was started.

- **Flags**: \`--listen\`, \`--admin\`, and for a single route \`--upstream URL\`, \`--profile ze|spec\` and
  \`--elicits TOOL=ARG[,ARG]\` (repeatable). \`--upstream\` without a file makes one route at \`/mcp\`; with a file it replaces the
  upstream of the only route, its certificates and headers too.
- **Variables** are named after the keys: \`limits.requestBytes\` is \`MRTR_GATEWAY_LIMITS_REQUEST_BYTES\`, and \`<n>\` stands for a
  route's index, from 0. Lists are comma separated. An empty variable counts as not set; an unknown \`MRTR_GATEWAY_…\` is a problem
  (what Kubernetes sets for Services is not).
- **References**: \`\${NAME}\` in a text of the file is that environment variable's value, which must be set; \`$\${\` is \`\${\`. Keys whose type
  names \`{ file }\` take \`{ file: path }\`: the file's content without its last line break, its path seen from the configuration file.
- A key without a value (\`key:\`) counts as not set. Anchors, aliases and merge keys (\`<<\`) work within a key's value.
- **Reload**: a change of the file, or of a file that it names, is loaded at once, as on SIGHUP; what is not valid is refused and the
  old configuration stays. \`listen\` and \`admin\` need a restart.
`;

const RULES_NOTE =
  'The rules and their defaults are in [rules.md](rules.md). A locked rule accepts `enforce` alone; the rules of admit and parse have no key.';

interface Section {
  readonly title: string;
  readonly note: string;
  readonly keys: readonly ConfigKey[];
  /** Names left out of the key column. */
  readonly depth: number;
}

export function configPage(): string {
  return [INTRODUCTION, ...sections().map(sectionText)].join('\n');
}

export function configSchemaText(): string {
  const { title, ...rest } = { title: 'mrtr-gateway configuration', ...published(CONFIG_SHAPE, []) };
  return `${JSON.stringify({ title, ...rest }, null, 2)}\n`;
}

/** Files and what they must hold. */
export function generated(): readonly (readonly [string, string])[] {
  return [
    ['docs/config.md', configPage()],
    ['docs/config.schema.json', configSchemaText()],
  ];
}

function sections(): readonly Section[] {
  const below = (prefix: readonly string[]) =>
    CONFIG_KEYS.filter(
      ({ path }) => path.length > prefix.length && prefix.every((name, index) => path[index] === name),
    );
  const describe = (name: string) =>
    CONFIG_KEYS.find(({ path }) => path.length === 1 && path[0] === name)?.shape.description;
  return [
    { title: 'Listeners and callers', note: '', depth: 0, keys: CONFIG_KEYS.filter(isTop) },
    {
      title: 'routes[]',
      note: `${describe('routes')} ${RULES_NOTE}`,
      depth: 2,
      keys: withoutRules(below(['routes', ANY])),
    },
    ...['seal', 'limits', 'timeouts', 'log'].map((name) => ({
      title: name,
      note: describe(name) ?? '',
      depth: 1,
      keys: below([name]),
    })),
  ];
}

function isTop({ path, kind }: ConfigKey): boolean {
  return path.length === 1 && kind !== 'section';
}

/** The keys of single rules are one row: the register documents them. */
function withoutRules(keys: readonly ConfigKey[]): readonly ConfigKey[] {
  return keys.filter(({ path }) => path[2] !== 'rules' || path.length === 3);
}

function sectionText({ title, note, keys, depth }: Section): string {
  const rows = keys.filter(isWritten).map((key) => row(key, depth));
  const head = '| Key | Type | Default | Variable | Description |\n|---|---|---|---|---|';
  return `## ${title}\n\n${note === '' ? '' : `${note}\n\n`}${head}\n${rows.join('\n')}\n`;
}

/** Sections whose keys follow say nothing by themselves, save an upstream, which may be a URL. */
function isWritten({ path, kind, variable }: ConfigKey): boolean {
  return kind !== 'section' || variable !== undefined || path[2] === 'rules';
}

function row(key: ConfigKey, depth: number): string {
  const { path, shape, variable } = key;
  const isRules = path[2] === 'rules';
  const name = [
    ...path.slice(depth).map((part) => (part === ANY ? '<name>' : part)),
    ...(isRules ? ['<id>'] : []),
  ].join('.');
  const env = isRules ? 'MRTR_GATEWAY_ROUTES_<n>_RULES_<ID>' : variable;
  const cells = [
    `\`${name}\``,
    isRules ? '`enforce`, `report`, `off`' : typeText(key),
    isRules ? 'the rule’s own' : defaultText(key),
    env === undefined ? '–' : `\`${env}\``,
    shape.description ?? '',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const MAPS: ReadonlyMap<string, string> = new Map([
  ['tools', 'object by tool name'],
  ['tokens', 'object of lists of text or `{ file }`'],
]);

function typeText({ kind, shape, path }: ConfigKey): string {
  if (shape.enum !== undefined) return shape.enum.map((choice) => `\`${choice}\``).join(', ');
  if (kind === 'list')
    return shape.items?.enum === undefined
      ? `list of text${shape.items?.file === true ? ' or `{ file }`' : ''}`
      : `list of ${shape.items.enum.map((choice) => `\`${choice}\``).join(', ')}`;
  if (kind === 'map') return MAPS.get(path.at(-1) ?? '') ?? 'object of text or `{ file }`';
  if (kind === 'section') return 'URL or object';
  if (kind === 'number') return `whole number${rangeText(shape)}`;
  return kind === 'boolean' ? '`true`, `false`' : shape.file === true ? 'text or `{ file }`' : 'text';
}

function rangeText(shape: Shape): string {
  const { minimum, maximum } = [shape, ...(shape.anyOf ?? [])].find((one) => one.maximum !== undefined) ?? {};
  return maximum === undefined ? '' : `, ${minimum} to ${maximum}`;
}

function defaultText({ required, shape, kind }: ConfigKey): string {
  if (required) return '**required**';
  if (shape.derived !== undefined) return shape.derived;
  if (shape.default === undefined) return 'on';
  if (shape.default === null) return 'not set';
  if (isArray(shape.default) && shape.default.length > 0)
    return shape.default.map((one) => `\`${String(one)}\``).join(', ');
  if (kind === 'list' || kind === 'map') return 'empty';
  return `\`${String(shape.default)}\``;
}

/** The shape for editors: own notes taken out, and both ways of writing an upstream and a secret let in. */
function published(shape: Shape, path: readonly string[]): Record<string, unknown> {
  const { derived, secret: _, file, properties, items, additionalProperties, ...rest } = shape;
  const plain: Record<string, unknown> = { ...rest };
  if (derived !== undefined) plain.description = `${shape.description} Default: ${derived}.`;
  if (properties !== undefined)
    plain.properties = Object.fromEntries(
      Object.entries(properties).map(([name, below]) => [name, published(below, [...path, name])]),
    );
  if (items !== undefined) plain.items = published(items, [...path, ANY]);
  if (additionalProperties === false) plain.additionalProperties = false;
  else if (additionalProperties !== undefined)
    plain.additionalProperties = published(additionalProperties, [...path, ANY]);
  if (file === true) return withAlternative(plain, FILE_REFERENCE);
  return SHORT_FORMS.has(path.join('.')) ? withAlternative(plain, { type: 'string' }) : plain;
}

/** Objects that may be written as one text. */
const SHORT_FORMS: ReadonlySet<string> = new Set([`routes.${ANY}.upstream`, `routes.${ANY}.auth`]);

const FILE_REFERENCE = {
  type: 'object',
  properties: { file: { type: 'string' } },
  required: ['file'],
  additionalProperties: false,
};

function withAlternative(shape: Record<string, unknown>, other: unknown): Record<string, unknown> {
  const { description, default: standard, ...rest } = shape;
  return {
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
    anyOf: [rest, other],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, content] of generated()) writeFileSync(file, content);
}
