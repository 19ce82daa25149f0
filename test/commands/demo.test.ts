import { describe, expect, it } from 'vitest';
import { readMisbehaviours, runDemo } from '../../src/commands/demo.js';
import { ConfigError, type LoadedConfig } from '../../src/config/loaded.js';
import { call } from '../support/client.js';

describe('the demo', () => {
  it('puts the gateway in profile ze in front of the stand-in, and ends with it', async () => {
    let loaded: LoadedConfig | undefined;
    let served = 0;
    const code = await runDemo({ listen: '127.0.0.1:0' }, {}, async (options) => {
      loaded = options.loaded;
      const url = options.loaded.config.routes[0]?.upstream.url ?? '';
      served = (await call(url, 'server/discover')).status;
      return 7;
    });
    expect([code, served]).toEqual([7, 200]);
    expect(loaded?.config).toMatchObject({
      listen: '127.0.0.1:0',
      admin: '127.0.0.1:9720',
      routes: [{ path: '/mcp', profile: 'ze', tools: { ze_execute: { elicits: ['command'] } } }],
    });
    await expect(call(loaded?.config.routes[0]?.upstream.url ?? '', 'server/discover')).rejects.toThrow();
  });

  it('stops the stand-in when the gateway cannot be configured', async () => {
    const start = async () => 0;
    await expect(runDemo({ listen: 'nowhere' }, {}, start)).rejects.toBeInstanceOf(ConfigError);
  });

  it('takes ways to misbehave one by one and in lists', () => {
    expect([...readMisbehaviours(['sampling, url-mode', 'wrong-id'])]).toEqual([
      'sampling',
      'url-mode',
      'wrong-id',
    ]);
  });

  it('names the way that was meant, or all of them', () => {
    const message = (name: string) => {
      try {
        readMisbehaviours([name]);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(message('samplin')).toBe('--misbehave: samplin is unknown; did you mean `sampling`?');
    expect(message('constructor')).toContain('known are credential-field, ');
  });
});
