/** `mrtr-gateway rules`: what is enforced, why, and what it looks like when it is broken. */
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../rules/index.js';
import type { Declaration } from './declaration.js';
import { describe } from './help.js';
import type { ExplainFlags } from './rules/explain.js';
import type { ListFlags } from './rules/list.js';

const IDS = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND].map(({ id }) => id);

export const declareRules: Declaration = (program, act) => {
  const rules = program
    .command('rules')
    .description('list the rules, or explain one')
    .enablePositionalOptions()
    .option('--config <FILE>', 'what each rule is worth on the routes of this file')
    .option('--route <NAME>', 'on this route of it alone')
    .option('--json', 'print JSON')
    .action((flags: ListFlags) =>
      act(async (world) => (await import('./rules/list.js')).listRules(flags, world)),
    );
  describe(rules, {
    values: { '--config': 'file' },
    examples: [
      ['rules', 'every rule with its stage, its severity in each profile, and its clause'],
      ['rules --config gateway.yaml', 'and what it comes to on each route'],
      ['rules explain request-state-accepted', 'one rule in full'],
    ],
  });
  const explain = rules
    .command('explain')
    .description('one rule in full: why, the clause, messages that break and keep it, how to tune it')
    .argument('<ID>', 'the name of the rule')
    .option('--config <FILE>', 'what the rule is worth on the routes of this file')
    .option('--route <NAME>', 'on this route of it alone')
    .option('--json', 'print JSON')
    .action((id: string, flags: ExplainFlags) =>
      act(async (world) => (await import('./rules/explain.js')).explainRule(id, flags, world)),
    );
  describe(explain, {
    values: { '--config': 'file', ID: IDS },
    examples: [
      [
        'rules explain form-asks-no-credential',
        'what a form that asks for a secret looks like, and what becomes of it',
      ],
      ['rules explain url-https --config gateway.yaml --route books', 'and what it is worth there'],
    ],
  });
  return rules;
};
