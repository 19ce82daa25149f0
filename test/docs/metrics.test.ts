import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generated } from '../../scripts/docs-metrics.js';

describe('the generated metrics docs', () => {
  it.each(generated())('%s is current (npm run docs writes it)', (file, text) => {
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
