import { describe, expect, it } from 'vitest';
import { FILE, load, problems } from './sources.js';

const ROUTES = 'routes: [{ upstream: "http://ze.test/mcp" }]';

describe('a configuration file', () => {
  it.each([
    ['YAML', 'listen: 127.0.0.1:1\nroutes:\n  - upstream: http://ze.test/mcp\n'],
    [
      'JSON',
      '{\n\t"listen": "127.0.0.1:1",\n\t"routes": [\n\t\t{ "upstream": "http://ze.test/mcp" }\n\t]\n}',
    ],
    ['YAML with Windows line ends', 'listen: 127.0.0.1:1\r\nroutes:\r\n  - upstream: http://ze.test/mcp\r\n'],
    ['YAML that says it is 1.2', `%YAML 1.2\n---\nlisten: 127.0.0.1:1\n${ROUTES}`],
  ])('may be %s', (_, yaml) => {
    expect(load({ yaml }).config.listen).toBe('127.0.0.1:1');
  });

  it('may share values between routes with anchors and merge keys', () => {
    const yaml = `routes:
  - &first { upstream: "http://a.test/mcp", profile: ze, path: /a }
  - { <<: *first, path: /b, name: second }`;
    expect(load({ yaml }).config.routes.map(({ name, path, profile }) => [name, path, profile])).toEqual([
      ['a', '/a', 'ze'],
      ['second', '/b', 'ze'],
    ]);
  });

  it.each([
    [
      'a key written twice',
      `listen: 127.0.0.1:1\nlisten: 127.0.0.1:2\n${ROUTES}`,
      '2:1',
      'the key is written twice',
    ],
    [
      'a key written twice in a JSON object',
      '{"log": {"audit": true,\n "audit": false}}',
      '2:2',
      'the key is written twice',
    ],
    [
      'an unquoted address of IPv6',
      `listen: [::1]:0\n${ROUTES}`,
      '1:14',
      'not expected here; does a value need quotes?',
    ],
    ['a tab', `log:\n\tlevel: info\n${ROUTES}`, '2:1', 'a tab stands where spaces must indent'],
    ['a list as a key', '? [a]\n: 1', '1:3', 'keys must be text'],
    ['two documents', `${ROUTES}\n---\na: 1`, '2:1', 'the file holds more than one document'],
    ['a tag', 'listen: !!js/function x', '1:9', 'tags are not supported'],
    ['an open quote', 'listen: "x', '1:11', 'a quote, bracket, comma or space is missing'],
  ])('with %s is refused at its line and column', (_, yaml, place, message) => {
    expect(problems({ yaml })).toContain(`${FILE}:${place}: ${message}`);
  });

  it.each([
    [
      'an alias of nothing',
      'listen: *x',
      'an alias or merge names nothing usable, or there are too many of them',
    ],
    ['a merge of nothing', '<<: 3', 'an alias or merge names nothing usable, or there are too many of them'],
    ['a bomb of aliases', bomb(), 'an alias or merge names nothing usable, or there are too many of them'],
    ['thousands of brackets', '['.repeat(20_000), 'the file is nested too deeply'],
    ['a list at the top', '- listen', 'expected an object of configuration keys'],
    ['a text at the top', 'listen', 'expected an object of configuration keys'],
    ['more than 1 MiB', `# ${'x'.repeat(1_048_576)}`, 'the file is larger than 1 MiB'],
  ])('with %s is refused', (_, yaml, message) => {
    expect(problems({ yaml })).toEqual([`${FILE}: ${message}`]);
  });

  it('that holds itself by alias is refused as too deep', () => {
    expect(problems({ yaml: 'log: &x { level: *x }' }).join('\n')).toContain('is nested too deeply');
  });

  it('that is empty lacks routes', () => {
    expect(problems({ yaml: '' })).toEqual(['routes: is required']);
  });

  it('that is not there is one problem', () => {
    expect(problems({ flags: { config: '/nowhere.yaml' } })).toEqual([
      '/nowhere.yaml: the file cannot be read (ENOENT)',
    ]);
  });

  it('is never quoted', () => {
    for (const yaml of [
      'key: "s3cr3t',
      'a: b: s3cr3t',
      's3cr3t',
      '- s3cr3t\n]',
      'a: {s3cr3t',
      'a: !s3cr3t x',
      'a: *s3cr3t',
    ])
      expect(problems({ yaml }).join('\n')).not.toContain('s3cr3t');
  });
});

function bomb(): string {
  const lines = ['a: &a [x, x]'];
  const names = 'abcdefgh';
  for (let index = 1; index < names.length; index += 1) {
    const below = Array.from({ length: 9 }, () => `*${names[index - 1]}`).join(', ');
    lines.push(`${names[index]}: &${names[index]} [${below}]`);
  }
  return lines.join('\n');
}
