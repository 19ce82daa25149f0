/** Writes the code of examples/ into the documents that show it: what is shown compiles, and tests run it. */
import { readFileSync } from 'node:fs';

const DOCUMENTS = ['README.md', 'docs/library.md', 'docs/tracing.md'];
const SHOWN = /(<!-- example: (\S+) -->\n)[\s\S]*?(<!-- end of example -->)/g;

export function withExamples(document: string): string {
  return document.replace(SHOWN, (_, begin: string, file: string, end: string) => {
    const language = file.endsWith('.ts') ? 'ts' : 'js';
    return `${begin}\n\`\`\`${language}\n${readFileSync(file, 'utf8')}\`\`\`\n\n${end}`;
  });
}

/** Files and what they must hold. */
export function generated(): readonly (readonly [string, string])[] {
  return DOCUMENTS.map((file) => [file, withExamples(readFileSync(file, 'utf8'))]);
}
