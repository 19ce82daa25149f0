import { describe, expect, it } from 'vitest';
import { DIRECTIVE_ROWS, parseDirective } from '../../../src/commands/probe/directives.js';

describe('a directive', () => {
  it.each([
    ['@ze_execute {"command":"x"}', { kind: 'tool', name: 'ze_execute', args: { command: 'x' } }],
    ['  @ze_execute  ', { kind: 'tool', name: 'ze_execute', args: {} }],
    ['prompt review {"code":"x"}', { kind: 'prompt', name: 'review', args: { code: 'x' } }],
    ['read file:///a b', { kind: 'read', uri: 'file:///a b' }],
    ['list', { kind: 'list', what: 'tools' }],
    ['list prompts', { kind: 'list', what: 'prompts' }],
    ['discover', { kind: 'discover' }],
    ['wait 2s', { kind: 'wait', ms: 2_000 }],
    ['wait 200ms', { kind: 'wait', ms: 200 }],
    ['wait 1.5', { kind: 'wait', ms: 1_500 }],
    ['task', { kind: 'task', id: undefined }],
    ['task t-1', { kind: 'task', id: 't-1' }],
    ['state a b', { kind: 'state', state: 'a b' }],
    [
      'elicit-answer accept show bgp peer list',
      { kind: 'elicit-answer', said: { action: 'accept', value: 'show bgp peer list' } },
    ],
    ['elicit-answer accept', { kind: 'elicit-answer', said: { action: 'accept', value: undefined } }],
    ['elicit-answer decline', { kind: 'elicit-answer', said: { action: 'decline' } }],
    ['elicit-answer cancel', { kind: 'elicit-answer', said: { action: 'cancel' } }],
    ['elicit-answer omit', { kind: 'elicit-answer', said: 'omit' }],
    ['sample-answer Paris is', { kind: 'sample-answer', said: 'Paris is' }],
    ['roots-answer file:///a file:///b', { kind: 'roots-answer', uris: ['file:///a', 'file:///b'] }],
    ['roots-answer', { kind: 'roots-answer', uris: [] }],
    ['listen 3 {"taskIds":["t"]}', { kind: 'listen', forMs: 3_000, filter: { taskIds: ['t'] } }],
    ['', undefined],
    ['# comment', undefined],
  ])('%j is read', (line, directive) => {
    expect(parseDirective(line)).toEqual(directive);
  });

  it.each([
    ['@', 'expected: @TOOL {json}'],
    ['@{"a":1}', 'expected: @TOOL {json}'],
    ['@ze_execute {', 'the arguments are no JSON object: @TOOL {json}'],
    ['@ze_execute []', 'the arguments are no JSON object: @TOOL {json}'],
    ['elicit-answer', 'expected: elicit-answer accept [value] | decline | cancel | omit'],
    ['elicit-answer reject', 'expected: elicit-answer accept [value] | decline | cancel | omit'],
    ['elicit-answer decline please', 'expected: elicit-answer accept [value] | decline | cancel | omit'],
    ['wait', 'expected: wait 2s'],
    ['wait soon', 'expected: wait 2s'],
    ['listen {"a":1}', 'expected: listen SECONDS [{filter}]'],
    ['list everything', 'expected: list [tools|prompts|resources|templates]'],
    ['read', 'expected: read URI'],
    ['discover all', 'discover stands alone'],
    ['elict-answer accept x', 'not a directive; did you mean `elicit-answer`?'],
    ['SELECT 1', 'not a directive; `help` lists them'],
  ])('%j is none: %s', (line, problem) => {
    expect(parseDirective(line)).toEqual({ problem });
  });

  it('of every kind has a row in the help', () => {
    expect(DIRECTIVE_ROWS.map(([form]) => form.split(' ')[0])).toEqual([
      ...[
        '@TOOL',
        'elicit-answer',
        'sample-answer',
        'roots-answer',
        'state',
        'list',
        'discover',
        'read',
        'prompt',
      ],
      ...['listen', 'task', 'wait', 'help', 'quit', '#'],
    ]);
  });
});
