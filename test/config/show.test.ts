import { describe, expect, it } from 'vitest';
import { showConfig } from '../../src/config/show.js';
import { CERTIFICATE, PRIVATE_KEY } from './pem.js';
import { load, problems, routeWith } from './sources.js';

const ref = (name: string) => `\${${name}}`;

describe('the effective configuration', () => {
  it('names the origin of each value', () => {
    const yaml =
      'admin: 127.0.0.1:1\nroutes: [{ upstream: "http://ze.test/mcp", tools: { book: { elicits: [city] } } }]';
    const env = { MRTR_GATEWAY_LIMITS_STREAMS: '7', MRTR_GATEWAY_ALLOWED_HOSTS: 'a.test,b.test' };
    const lines = showConfig(load({ yaml, env, flags: { profile: 'ze' } }))
      .split('\n')
      .map((line) => line.trim());
    expect(lines).toEqual(
      expect.arrayContaining([
        'listen: 127.0.0.1:9719 # default',
        'admin: 127.0.0.1:1 # file',
        'publicUrl: null # default',
        'allowedHosts: [a.test, b.test] # env',
        '- name: mcp # default',
        'url: http://ze.test/mcp # file',
        'profile: ze # flag',
        'requestState: forbid # default',
        'elicits: [city] # file',
        'toolError: true # default',
        'kinds: [elicitation] # default',
        'rules: {} # default',
        'streams: 7 # env',
      ]),
    );
  });

  it('is a configuration again', () => {
    const yaml = routeWith({ profile: 'ze', rules: { 'result-type-known': 'off' }, passThrough: ['/docs'] });
    const loaded = load({ yaml });
    expect(load({ yaml: showConfig(loaded) }).config).toEqual(loaded.config);
  });

  it('is a configuration again with references, certificates and odd names', () => {
    const upstream = {
      url: `https://${ref('HOST')}/mcp`,
      ca: CERTIFICATE,
      cert: CERTIFICATE,
      key: { file: '/key' },
      headers: { authorization: `Bearer ${ref('TOKEN')}` },
    };
    const yaml = routeWith(
      { tools: { 'a: b #': {}, '1': {}, constructor: {} }, credentials: { words: [ref('WORD'), 'on'] } },
      upstream,
    );
    const given = { env: { HOST: 'ze.test', TOKEN: 's3cr3t', WORD: 'x' }, files: { '/key': PRIVATE_KEY } };
    const loaded = load({ yaml, ...given });
    expect(load({ yaml: showConfig(loaded), ...given }).config).toEqual(loaded.config);
  });

  it('shows references as they are written', () => {
    const headers = { authorization: `Bearer ${ref('TOKEN')}`, 'x-key': { file: 'key' } };
    const yaml = routeWith({}, { url: `http://${ref('HOST')}/mcp`, headers });
    const text = showConfig(
      load({ yaml, env: { HOST: 'ze.test', TOKEN: 's3cr3t' }, files: { '/etc/gateway/key': 's3cr3t' } }),
    );
    expect(text).toContain(`url: http://${ref('HOST')}/mcp # file`);
    expect(text).toContain(`authorization: Bearer ${ref('TOKEN')} # file`);
    expect(text).toContain('x-key: {file: key} # file');
    expect(text).not.toContain('s3cr3t');
  });

  it('shows a reference of the file no more where a variable replaced it', () => {
    const yaml = routeWith({}, `http://${ref('HOST')}/mcp`);
    const text = showConfig(
      load({ yaml, env: { HOST: 'ze.test', MRTR_GATEWAY_ROUTES_0_UPSTREAM: 'http://b.test/' } }),
    );
    expect(text).toContain('url: http://b.test/ # env');
  });

  it('masks secrets that the file spells out', () => {
    const headers = { authorization: 'Bearer s3cr3t', 'x-key': `s3cr3t${ref('HOST')}` };
    const yaml = routeWith(
      {},
      { url: `https://${ref('HOST')}/mcp?key=s3cr3t`, cert: CERTIFICATE, key: PRIVATE_KEY, headers },
    );
    const text = showConfig(load({ yaml, env: { HOST: 'ze.test' } }));
    expect(text).not.toContain('s3cr3t');
    expect(text).not.toContain(PRIVATE_KEY.split('\n')[1]);
    expect(text).toContain('key: "***" # file');
    expect(text).toContain(`url: https://${ref('HOST')}/mcp?*** # file`);
  });

  it('masks a key that a variable gives', () => {
    const env = { MRTR_GATEWAY_ROUTES_0_UPSTREAM_KEY: PRIVATE_KEY };
    const yaml = routeWith({}, { url: 'https://ze.test/', cert: CERTIFICATE });
    expect(problems({ yaml, env })).toEqual([]);
    expect(showConfig(load({ yaml, env }))).toContain('key: "***" # env');
  });
});
