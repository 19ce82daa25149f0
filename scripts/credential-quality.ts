/** Prints how well forms that ask for credentials are told from others, per profile; `-v` also prints what is read wrong. */
import { compileCredentialReader } from '../src/protocol/credentials.js';
import { KINDS, measure, type Quality, type Row, readCorpus } from './credential-corpus.js';

const rows = readCorpus();
const verbose = process.argv.includes('-v');

for (const profile of ['spec', 'ze']) {
  const reader = compileCredentialReader({ broadNames: profile === 'ze', words: [], except: [] });
  console.log(`profile ${profile}`);
  for (const kind of KINDS)
    print(
      kind,
      measure(
        rows.filter((row) => row.kind === kind),
        reader,
      ),
    );
  const all = measure(rows, reader);
  print('all', all);
  if (verbose) explain(all);
}

function print(title: string, { recall, precision, asks, harmless, missed, mistaken }: Quality): void {
  const shares = `recall ${recall.toFixed(3)}  precision ${precision.toFixed(3)}`;
  const counts = `missed ${missed.length} of ${asks}, mistaken ${mistaken.length} of ${harmless}`;
  console.log(`  ${title.padEnd(12)}${shares}  ${counts}`);
}

function explain({ missed, mistaken }: Quality): void {
  const list = (title: string, found: readonly Row[]) => {
    for (const { kind, text } of found) console.log(`  ${title} ${kind}: ${JSON.stringify(text)}`);
  };
  list('missed  ', missed);
  list('mistaken', mistaken);
}
