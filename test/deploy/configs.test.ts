/** Every configuration of the gateway that is handed out is read as the binary reads it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/load.js';
import { generateKey } from '../../src/seal/key.js';

const FOLDERS = ['deploy', 'examples'];
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .map((name) => join(folder, name)),
);

/** What is the gateway's has routes; other programs' files here have none at the top. */
function isConfiguration(file: string): boolean {
  return parseAllDocuments(readFileSync(file, 'utf8')).some(
    (document) => 'has' in document && document.has('routes'),
  );
}

const CONFIGURATIONS = FILES.filter(isConfiguration);

describe('configuration files', () => {
  it('are found by their content under the one name', () => {
    expect(CONFIGURATIONS).toContain('deploy/ze/gateway.yaml');
    expect(FILES.filter((file) => /(^|\/)gateway\.ya?ml$/.test(file))).toEqual(
      CONFIGURATIONS.filter((file) => /(^|\/)gateway\.ya?ml$/.test(file)),
    );
  });

  it.each(CONFIGURATIONS)('%s is valid', (file) => {
    // Variables that files refer to are set where they run.
    const env = { CREDENTIALS_DIRECTORY: '/run/credentials/mrtr-gateway.service' };
    const readFile = (name: string) => (name === file ? readFileSync(name, 'utf8') : generateKey());
    const { config } = loadConfig({ flags: { config: file }, env, readFile });
    expect(config.routes.length).toBeGreaterThan(0);
  });

  it.each(CONFIGURATIONS)('%s names the schema that editors check it with', (file) => {
    const [, schema = ''] = /\$schema=(\S+)/.exec(readFileSync(file, 'utf8')) ?? [];
    const { title } = JSON.parse(readFileSync(join(file, '..', schema), 'utf8'));
    expect(title).toBe(JSON.parse(readFileSync('docs/config.schema.json', 'utf8')).title);
  });
});

describe('deploy/ze', () => {
  it('has Ze listen where the gateway looks for it, and on loopback', () => {
    const { config } = loadConfig({ flags: { config: 'deploy/ze/gateway.yaml' }, env: {} });
    const [route] = config.routes;
    const { hostname, port } = new URL(String(route?.upstream.url));
    const block = readFileSync('deploy/ze/ze.conf', 'utf8');
    expect({ hostname, port }).toEqual({
      hostname: /^\s*ip ([^;]+);/m.exec(block)?.[1],
      port: /^\s*port ([^;]+);/m.exec(block)?.[1],
    });
    expect(hostname).toBe('127.0.0.1');
  });

  it('has the braces of Ze’s block closed and its statements ended', () => {
    const lines = readFileSync('deploy/ze/ze.conf', 'utf8').split('\n');
    const code = lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '');
    expect(code.filter((line) => !/[{};]$/.test(line))).toEqual([]);
    const text = code.join('\n');
    expect(text.split('{').length).toBe(text.split('}').length);
  });
});
