import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/** A folder (or file) of src, and what it may import: other folders of src, node modules and packages by name. */
interface Layer {
  readonly may: readonly string[];
  readonly packages: 'none' | 'any' | readonly string[];
  readonly node: 'none' | 'any' | readonly string[];
}

const LAYERS: Readonly<Record<string, Layer>> = {
  protocol: { may: ['protocol'], packages: 'none', node: ['node:buffer', 'node:crypto'] },
  engine: { may: ['protocol', 'engine'], packages: 'none', node: 'none' },
  rules: { may: ['protocol', 'engine', 'rules'], packages: 'none', node: 'none' },
  rewrites: { may: ['protocol', 'engine', 'rewrites'], packages: 'none', node: 'none' },
  seal: { may: ['protocol', 'engine', 'seal'], packages: 'none', node: ['node:crypto'] },
  identity: { may: ['protocol', 'engine', 'identity'], packages: ['jose'], node: ['node:crypto'] },
  status: {
    may: ['protocol', 'engine', 'rules', 'status'],
    packages: 'none',
    node: ['node:crypto', 'node:fs'],
  },
  capture: { may: ['protocol', 'engine', 'capture'], packages: 'none', node: ['node:buffer'] },
  'gateway.ts': { may: ['protocol', 'engine', 'rules', 'rewrites'], packages: 'none', node: 'none' },
  adapters: {
    may: [
      ...['protocol', 'engine', 'rules', 'rewrites', 'seal', 'identity', 'status'],
      ...['gateway.ts', 'capture', 'adapters'],
    ],
    packages: 'any',
    node: 'any',
  },
  config: {
    may: ['protocol', 'engine', 'rules', 'rewrites', 'seal', 'identity', 'config'],
    packages: ['zod', 'yaml'],
    node: 'any',
  },
  demo: { may: ['protocol', 'demo'], packages: 'none', node: 'any' },
  client: {
    may: ['protocol', 'engine', 'rules', 'client'],
    packages: ['undici'],
    node: ['node:buffer', 'node:net', 'node:timers/promises'],
  },
  check: {
    may: ['protocol', 'engine', 'rules', 'client', 'check'],
    packages: 'none',
    node: ['node:timers/promises'],
  },
  inspect: {
    may: ['protocol', 'engine', 'rules', 'client', 'capture', 'inspect'],
    packages: 'none',
    node: 'none',
  },
  explain: {
    may: ['protocol', 'engine', 'rules', 'client', 'config', 'explain'],
    packages: 'none',
    node: 'none',
  },
  commands: {
    may: [
      ...['protocol', 'engine', 'rules', 'rewrites', 'seal', 'identity', 'status', 'gateway.ts'],
      ...['adapters', 'config', 'demo', 'client', 'check', 'capture', 'inspect', 'explain', 'commands'],
    ],
    packages: 'any',
    node: 'any',
  },
  'cli.ts': { may: ['commands', 'config'], packages: ['commander'], node: 'any' },
  'index.ts': {
    may: ['protocol', 'engine', 'rules', 'seal', 'identity', 'gateway.ts', 'adapters', 'config'],
    packages: 'any',
    node: 'any',
  },
};

const FILES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();

function layerOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] as string) : file;
}

function importsOf(file: string): string[] {
  const source = readFileSync(join('src', file), 'utf8');
  return [...source.matchAll(/(?<!\.)(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
}

function importedFile(file: string, specifier: string): string {
  return relative('src', join('src', dirname(file), specifier)).replace(/\.js$/, '.ts');
}

function allowed(layer: Layer, file: string, specifier: string): boolean {
  if (specifier.startsWith('.')) return layer.may.includes(layerOf(importedFile(file, specifier)));
  const list = specifier.startsWith('node:') ? layer.node : layer.packages;
  return list === 'any' || (list !== 'none' && list.includes(specifier));
}

describe('the architecture', () => {
  it('has a layer for every source file', () => {
    expect(FILES.filter((file) => LAYERS[layerOf(file)] === undefined)).toEqual([]);
  });

  it('imports in one direction', () => {
    const offences = FILES.flatMap((file) => {
      const layer = LAYERS[layerOf(file)];
      const found = layer === undefined ? [] : importsOf(file).filter((name) => !allowed(layer, file, name));
      return found.map((specifier) => `${file} imports ${specifier}`);
    });
    expect(offences).toEqual([]);
  });

  it('keeps rules from importing each other', () => {
    const offences = FILES.filter((file) => file.startsWith('rules/') && file !== 'rules/index.ts').flatMap(
      (file) =>
        importsOf(file)
          .filter(
            (specifier) => specifier.startsWith('.') && importedFile(file, specifier).startsWith('rules/'),
          )
          .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(offences).toEqual([]);
  });

  it('touches process only in the binary', () => {
    const offences = FILES.filter((file) => !/^(cli\.ts|commands\/)/.test(file)).filter((file) =>
      /(?<![\w.'`])process\.(?!nextTick)/.test(readFileSync(join('src', file), 'utf8')),
    );
    expect(offences).toEqual([]);
  });

  it('keeps source files within 250 lines', () => {
    const long = FILES.map(
      (file) => [file, readFileSync(join('src', file), 'utf8').split('\n').length - 1] as const,
    );
    expect(long.filter(([, lines]) => lines > 250)).toEqual([]);
  });

  it('reads as a straight line of at most 140 lines', () => {
    expect(readFileSync('src/gateway.ts', 'utf8').split('\n').length).toBeLessThanOrEqual(140);
  });

  it('keeps the oracle apart from what it judges', () => {
    const offences = readdirSync('test/oracle').flatMap((file) =>
      [...readFileSync(join('test/oracle', file), 'utf8').matchAll(/from\s+'([^']+)'/g)]
        .map((match) => match[1] as string)
        .filter((specifier) => !/^(\.\/[a-z-]+\.js|node:[a-z/]+|ajv[a-z/0-9.-]*)$/.test(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(offences).toEqual([]);
  });

  it('writes each wire literal of the protocol once', () => {
    const literals =
      /'(-320\d\d|io\.modelcontextprotocol\/[A-Za-z]+|mcp-[a-z-]+|tools\/(?:list|call)|prompts\/get|resources\/read|elicitation\/create|sampling\/createMessage)'/g;
    const offences = FILES.filter(
      (file) => file !== 'protocol/constants.ts' && !file.startsWith('demo/'),
    ).flatMap((file) =>
      [...readFileSync(join('src', file), 'utf8').matchAll(literals)].map((match) => `${file}: ${match[1]}`),
    );
    expect(offences).toEqual([]);
  });
});
