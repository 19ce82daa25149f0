import { describe, expect, it } from 'vitest';
import { patternAsks } from '../../src/protocol/credentials/token-patterns.js';

describe('a pattern that asks', () => {
  it.each([
    '^ghp_[A-Za-z0-9]{36}$',
    '^gh[pousr]_[A-Za-z0-9]{36}$',
    String.raw`^(ghp|gho)_\w+`,
    '^(?:ghp_|github_pat_)',
    String.raw`^glpat\-[\w-]{20}$`,
    '^sk-[A-Za-z0-9]{48}$',
    '^sk-proj-',
    '^sk_live_[0-9a-zA-Z]{24}$',
    '^sk_(live|test)_',
    '^xox[baprs]-',
    'xoxb-[0-9]+',
    '^AKIA[0-9A-Z]{16}$',
    '(AKIA|ASIA)[A-Z0-9]{16}',
    '^AIza[0-9A-Za-z_-]{35}$',
    String.raw`^eyJ[A-Za-z0-9_-]+\.`,
    '^-----BEGIN (RSA )?PRIVATE KEY-----',
    '^hf_[a-zA-Z]{34}$',
    String.raw`^npm_\w{36}$`,
    String.raw`^SG\.[\w-]{22}\.`,
    String.raw`^ya29\.[0-9A-Za-z_-]+`,
  ])('begins as the tokens of an issuer do: %s', (pattern) => {
    expect(patternAsks(pattern)).toBe(true);
  });
});

describe('a pattern that does not ask', () => {
  it.each([
    '.*',
    '^[a-z]{2}-[A-Z]{2}$',
    '^sk-SK$',
    '^(sk|cs)-[A-Z]{2}$',
    '^task-[0-9]+$',
    '^risk-[a-z]+$',
    '^disk_live_[0-9]+$',
    '^hf_model$',
    '^(ASIA|EU|US)$',
    '^ghost_[a-z]+$',
    '^keyJob$',
    String.raw`^\d{4}$`,
    String.raw`^\+?[0-9]{10,15}$`,
    '^https://.*$',
  ])('is of something else: %s', (pattern) => {
    expect(patternAsks(pattern)).toBe(false);
  });
});
