import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeWith, findProgram } from './programs.js';

describe('the search for a program', () => {
  it('finds what is on PATH', () => {
    expect(findProgram('node', dirname(process.execPath))).toBe(process.execPath);
  });

  it('finds nothing where nothing is', () => {
    expect(findProgram('no-such-program')).toBeUndefined();
    expect(findProgram('package.json', process.cwd())).toBeUndefined();
  });

  describeWith(['no-such-program', 'sh'], 'under its other name', (path) => {
    it('hands over the path', () => {
      expect(existsSync(path)).toBe(true);
    });
  });
});
