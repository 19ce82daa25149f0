/** `mrtr-gateway keygen`: secrets for the configuration. What is for a file or a pipe is on stdout, what is for a reader on stderr. */
import { createHash } from 'node:crypto';
import { generateKey, keyId, parseKey } from '../seal/key.js';
import type { Declaration } from './declaration.js';
import { describe } from './help.js';
import { EXIT_OK, type World } from './world.js';

export interface KeygenFlags {
  /** A token for `auth: bearer` instead of a key. */
  readonly token?: boolean | undefined;
}

export function keygen({ token }: KeygenFlags, world: Pick<World, 'out' | 'err'>): number {
  const secret = generateKey();
  world.out(`${secret}\n`);
  if (token === true) {
    const hash = createHash('sha256').update(secret).digest('hex');
    world.err(`A token: the caller sends it as \`Authorization: Bearer …\`. The gateway knows its hash:\n`);
    world.err(`  auth: { mode: bearer, tokens: { NAME: ['sha256:${hash}'] } }\n`);
    return EXIT_OK;
  }
  const id = keyId(parseKey(secret) as Uint8Array);
  world.err(
    `A key for seal.keys, of id ${id}: the first key seals, all of them open. To rotate, add a new one\n`,
  );
  world.err('last everywhere, move it first, and take the old one out seal.ttlSeconds later.\n');
  return EXIT_OK;
}

export const declareKeygen: Declaration = (program, act) =>
  describe(
    program
      .command('keygen')
      .description('make a key that seals request states')
      .option('--token', 'a token for a caller instead, with the hash that the configuration takes')
      .action((flags) => act((world) => keygen(flags, world))),
    {
      examples: [
        ['keygen > seal.key', 'a key in a file: seal: { keys: [{ file: seal.key }] }'],
        ['keygen --token', 'a token for one caller, and its hash for auth.tokens'],
      ],
    },
  );
