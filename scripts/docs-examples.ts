/** Writes the code of examples/ into the documents that show it: what is shown compiles, and tests run it. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

const DOCUMENTS = ['README.md', 'docs/commands.md', 'docs/library.md', 'docs/tracing.md'];
const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['.ts', 'ts'],
  ['.mjs', 'js'],
  ['.js', 'js'],
  ['.sh', 'sh'],
  ['.yml', 'yaml'],
]);
const SHOWN = /(<!-- example: (\S+) -->\n)[\s\S]*?(<!-- end of example -->)/g;

export function withExamples(document: string): string {
  return document.replace(SHOWN, (_, begin: string, file: string, end: string) => {
    const language = LANGUAGES.get(extname(file)) ?? 'text';
    return `${begin}\n\`\`\`${language}\n${readFileSync(file, 'utf8')}\`\`\`\n\n${end}`;
  });
}

/** Files and what they must hold. */
export function generated(): readonly (readonly [string, string])[] {
  return DOCUMENTS.map((file) => [file, withExamples(readFileSync(file, 'utf8'))]);
}
