import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('npm run docs', () => {
  it.each(readdirSync('scripts').filter((file) => /^docs-.*\.ts$/.test(file)))('runs %s', (file) => {
    const source = readFileSync('scripts/docs.ts', 'utf8');
    const name = new RegExp(`generated as (\\w+) \\} from './${file.replace('.ts', '.js')}'`).exec(
      source,
    )?.[1];
    expect(source).toMatch(new RegExp(`\\[.*\\b${name}\\b.*\\]`));
  });
});
