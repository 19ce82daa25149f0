import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generated } from '../../scripts/docs-examples.js';

describe('the code that documents show', () => {
  it.each(generated())('%s has the examples as they are (npm run docs writes them)', (file, text) => {
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('shows every example somewhere', () => {
    const documents = generated()
      .map(([, text]) => text)
      .join('');
    const files = readdirSync('examples', { recursive: true, encoding: 'utf8' });
    const hidden = files.filter(
      (file) => /\.\w+$/.test(file) && !documents.includes(`<!-- example: examples/${file} -->`),
    );
    expect(hidden).toEqual([]);
  });
});
