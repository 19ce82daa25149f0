import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileWatch, watchFiles } from '../../src/config/watch.js';

let folder: string;
let watching: FileWatch;
let seen: number;
let tell: () => void = () => {};

function watched(...files: readonly string[]): void {
  watching = watchFiles(files, () => {
    seen += 1;
    tell();
  });
}

/** Resolves with the number of changes told so far, at the next one after `act`. */
function changed(act: () => void): Promise<number> {
  const told = new Promise<number>((resolve) => {
    tell = () => resolve(seen);
  });
  act();
  return told;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-watch-'));
  seen = 0;
});

afterEach(() => {
  watching.close();
  rmSync(folder, { recursive: true });
});

describe('a watched file', () => {
  it('tells when it is written anew', async () => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, 'a');
    watched(file);
    expect(await changed(() => writeFileSync(file, 'b'))).toBe(1);
    expect(await changed(() => writeFileSync(file, 'c'))).toBe(2);
  });

  it('tells when another file takes its place', async () => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, 'a');
    watched(file);
    writeFileSync(join(folder, 'new'), 'b');
    expect(await changed(() => renameSync(join(folder, 'new'), file))).toBe(1);
  });

  it('says nothing of the same content, of a neighbour, or while it is away', async () => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, 'a');
    watched(file);
    writeFileSync(file, 'a');
    writeFileSync(join(folder, 'neighbour'), 'x');
    unlinkSync(file);
    expect(await changed(() => writeFileSync(file, 'b'))).toBe(1);
  });

  it('is one of several', async () => {
    const other = mkdtempSync(join(folder, 'other-'));
    const [file, secret] = [join(folder, 'gateway.yaml'), join(other, 'token')];
    writeFileSync(file, 'a');
    writeFileSync(secret, 'a');
    watched(file, secret);
    expect(await changed(() => writeFileSync(secret, 'b'))).toBe(1);
  });

  it('may be a link into a mounted folder that is exchanged as a whole', async () => {
    const file = join(folder, 'gateway.yaml');
    const mount = (name: string, text: string) => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'gateway.yaml'), text);
      symlinkSync(name, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    mount('..1', 'a');
    symlinkSync(join('..data', 'gateway.yaml'), file);
    watched(file);
    expect(await changed(() => mount('..2', 'b'))).toBe(1);
    rmSync(join(folder, '..1'), { recursive: true });
    expect(await changed(() => mount('..3', 'c'))).toBe(2);
  });

  it('may be a link to a file that is written elsewhere', async () => {
    const other = mkdtempSync(join(folder, 'other-'));
    writeFileSync(join(other, 'real.yaml'), 'a');
    symlinkSync(join(other, 'real.yaml'), join(folder, 'gateway.yaml'));
    watched(join(folder, 'gateway.yaml'));
    expect(await changed(() => writeFileSync(join(other, 'real.yaml'), 'b'))).toBe(1);
  });

  it('gives way to others that are followed instead', async () => {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    writeFileSync(one, 'a');
    writeFileSync(other, 'a');
    watched(one);
    watching.follow([other]);
    writeFileSync(one, 'b');
    expect(await changed(() => writeFileSync(other, 'b'))).toBe(1);
  });
});
