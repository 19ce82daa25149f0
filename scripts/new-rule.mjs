/** npm run new:rule -- inbound retry-id-fresh: writes the rule, its test and its line in the register. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const STAGES = ['admit', 'parse', 'inbound', 'outbound'];
const REMEDIES = {
  admit: 'invalidRequest',
  parse: 'invalidRequest',
  inbound: 'invalidParams',
  outbound: 'serverViolation',
};

const [stage = '', id = ''] = process.argv.slice(2);
if (!STAGES.includes(stage) || !/^[a-z]+(-[a-z]+)+$/.test(id)) {
  console.error('usage: npm run new:rule -- admit|parse|inbound|outbound the-invariant-that-must-hold');
  process.exit(2);
}
const name = id.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
const ruleFile = `src/rules/${stage}/${id}.ts`;
const testFile = `test/rules/${stage}/${id}.test.ts`;
for (const file of [ruleFile, testFile]) {
  if (!existsSync(file)) continue;
  console.error(`${file} is there already`);
  process.exit(2);
}

writeFileSync(
  ruleFile,
  `import type { Rule } from '../../engine/rule.js';

export const ${name}: Rule<'${stage}'> = {
  id: '${id}',
  stage: '${stage}',
  guarantees: 'One sentence: what holds for whoever relies on the gateway.',
  clause: { source: 'gateway policy', keyword: 'MUST', quote: 'The sentence that the rule enforces, word for word.' },
  severity: { spec: 'report', ze: 'report' },
  remedy: { refuse: '${REMEDIES[stage]}' },
  check: () => undefined,
};
`,
);
writeFileSync(
  testFile,
  `import { ${name} } from '../../../src/rules/${stage}/${id}.js';
import { judges } from '../cases.js';

judges(${name}, { refuses: [], passes: [] });
`,
);
const registerFile = 'src/rules/index.ts';
const list = stage.toUpperCase();
const register = readFileSync(registerFile, 'utf8')
  .replace(/(\n\nexport const ADMIT)/, `\nimport { ${name} } from './${stage}/${id}.js';$1`)
  .replace(new RegExp(`(export const ${list}: [^=]+= \\[)([^\\]]*?),?\\s*\\]`), `$1$2, ${name}]`);
writeFileSync(registerFile, register);
console.log(
  `${ruleFile}\n${testFile}\n${registerFile}: ${name} is last in ${list}; move it to where it takes precedence`,
);
console.log(
  'next: write the check, its cases and its explanation in src/explain, then npm run format && npm run docs && npm test',
);
