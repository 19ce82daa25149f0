import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { generated } from '../../scripts/docs-man.js';
import { describeWith } from '../support/programs.js';

const execute = promisify(execFile);

describe('the man page', () => {
  it.each(generated())('%s is as its generator writes it (npm run docs writes it)', (file, text) => {
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('is part of the package', () => {
    const { man, files } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect([man, files.includes('man')]).toEqual(['./man/mrtr-gateway.1', true]);
  });
});

describeWith('groff', 'the man page, set', (groff) => {
  it('has every command and flag, and nothing that groff warns of', async () => {
    const { stdout, stderr } = await execute(groff, [
      '-man',
      '-ww',
      '-Tascii',
      '-P-cbou',
      'man/mrtr-gateway.1',
    ]);
    expect(stderr).toBe('');
    for (const word of [
      'serve',
      'probe',
      'rules explain',
      '--elicit MODES',
      '--misbehave',
      'elicit-answer accept',
    ])
      expect(stdout).toContain(word);
  });
});
