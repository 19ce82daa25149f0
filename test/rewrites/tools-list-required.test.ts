import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elicits, FORM, rewritten, route } from './fixtures.js';

const TOOLS = elicits({ ze_execute: ['command'], two: ['a', 'b'], plain: [] });
const POLICY = route(['tools-list-required'], { tools: new Map([...TOOLS, ...protoTool()]) });

/** A tool may be called `__proto__`. */
function protoTool(): ReadonlyMap<string, never> {
  const [tool] = elicits({ x: ['command'] }).values();
  return new Map([['__proto__', tool as never]]);
}

function list(tools: string, capabilities: object, method = 'tools/list'): string {
  const text = `{"jsonrpc":"2.0","id":1,"result":{"tools":${tools},"ttlMs":18446744073709551615}}`;
  const changed = rewritten(text, { method, capabilities: capabilities as never, policy: POLICY }).text;
  const [before, after] = ['{"jsonrpc":"2.0","id":1,"result":{"tools":', ',"ttlMs":18446744073709551615}}'];
  expect(changed.startsWith(before) && changed.endsWith(after)).toBe(true);
  return changed.slice(before.length, -after.length);
}

function schemaOf(name: string, schema: string): string {
  return `[{"name":"${name}","inputSchema":${schema}}]`;
}

/** What a client with form mode sees, and what any other does, of a tool's input schema. */
const CASES: readonly (readonly [
  what: string,
  tool: string,
  sent: string,
  withForm: string,
  without: string,
])[] = [
  [
    'a schema that requires it',
    'ze_execute',
    '{"type":"object","properties":{"command":{}},"required":["command"]}',
    '{"type":"object","properties":{"command":{}}}',
    '{"type":"object","properties":{"command":{}},"required":["command"]}',
  ],
  [
    'a schema that does not',
    'ze_execute',
    '{"type":"object","properties":{"command":{}}}',
    '{"type":"object","properties":{"command":{}}}',
    '{"type":"object","properties":{"command":{}},"required":["command"]}',
  ],
  [
    'a schema that requires more',
    'ze_execute',
    '{"required": [ "other" , "command" ],"properties":{"command":{},"other":{}}}',
    '{"required": [ "other" ],"properties":{"command":{},"other":{}}}',
    '{"required": [ "other" , "command" ],"properties":{"command":{},"other":{}}}',
  ],
  [
    'a schema that requires others',
    'ze_execute',
    '{"required": [ "other" ],"properties":{"command":{},"other":{}}}',
    '{"required": [ "other" ],"properties":{"command":{},"other":{}}}',
    '{"required": [ "other","command" ],"properties":{"command":{},"other":{}}}',
  ],
  [
    'an empty required',
    'ze_execute',
    '{"required":[],"properties":{"command":{}}}',
    '{"required":[],"properties":{"command":{}}}',
    '{"required":["command"],"properties":{"command":{}}}',
  ],
  [
    'required as the first member',
    'ze_execute',
    '{ "required":["command"] , "properties":{"command":{}} }',
    '{ "properties":{"command":{}} }',
    '{ "required":["command"] , "properties":{"command":{}} }',
  ],
  ['required as the only member', 'ze_execute', '{"required":["command"]}', '{}', '{"required":["command"]}'],
  [
    'a name that is written with escapes',
    'ze_execute',
    '{"properties":{"\\u0063ommand":{}},"\\u0072equired":["\\u0063ommand","x"]}',
    '{"properties":{"\\u0063ommand":{}},"\\u0072equired":["x"]}',
    '{"properties":{"\\u0063ommand":{}},"\\u0072equired":["\\u0063ommand","x"]}',
  ],
  [
    'an argument that is required twice',
    'ze_execute',
    '{"properties":{"command":{}},"required":["command","x","command"]}',
    '{"properties":{"command":{}},"required":["x"]}',
    '{"properties":{"command":{}},"required":["command","x","command"]}',
  ],
  [
    'a schema without the property',
    'ze_execute',
    '{"properties":{"other":{}}}',
    '{"properties":{"other":{}}}',
    '{"properties":{"other":{}}}',
  ],
  ['an empty schema', 'ze_execute', '{}', '{}', '{}'],
  [
    'several arguments',
    'two',
    '{"properties":{"a":{},"b":{},"c":{}},"required":["b","c"]}',
    '{"properties":{"a":{},"b":{},"c":{}},"required":["c"]}',
    '{"properties":{"a":{},"b":{},"c":{}},"required":["b","c","a"]}',
  ],
  [
    'several arguments and no required',
    'two',
    '{"properties":{"a":{},"b":{}}}',
    '{"properties":{"a":{},"b":{}}}',
    '{"properties":{"a":{},"b":{}},"required":["a","b"]}',
  ],
  [
    'a malformed required',
    'ze_execute',
    '{"properties":{"command":{}},"required":"command"}',
    '{"properties":{"command":{}},"required":"command"}',
    '{"properties":{"command":{}},"required":"command"}',
  ],
  [
    'required as null',
    'ze_execute',
    '{"properties":{"command":{}},"required":null}',
    '{"properties":{"command":{}},"required":null}',
    '{"properties":{"command":{}},"required":null}',
  ],
  [
    'strange elements of required',
    'ze_execute',
    '{"properties":{"command":{}},"required":[null,["command"],"command",7]}',
    '{"properties":{"command":{}},"required":[null,["command"],7]}',
    '{"properties":{"command":{}},"required":[null,["command"],"command",7]}',
  ],
  [
    'properties that are no object',
    'ze_execute',
    '{"properties":["command"]}',
    '{"properties":["command"]}',
    '{"properties":["command"]}',
  ],
  [
    'required inside a property',
    'ze_execute',
    '{"properties":{"command":{"required":["command"],"properties":{"command":{}}}}}',
    '{"properties":{"command":{"required":["command"],"properties":{"command":{}}}}}',
    '{"properties":{"command":{"required":["command"],"properties":{"command":{}}}},"required":["command"]}',
  ],
  [
    'a tool that elicits nothing',
    'plain',
    '{"properties":{"command":{}},"required":["command"]}',
    '{"properties":{"command":{}},"required":["command"]}',
    '{"properties":{"command":{}},"required":["command"]}',
  ],
  [
    'a tool that is not configured',
    'other',
    '{"properties":{"command":{}}}',
    '{"properties":{"command":{}}}',
    '{"properties":{"command":{}}}',
  ],
  [
    'a tool called __proto__',
    '__proto__',
    '{"properties":{"command":{}},"required":["command"]}',
    '{"properties":{"command":{}}}',
    '{"properties":{"command":{}},"required":["command"]}',
  ],
];

describe('tools-list-required', () => {
  it.each(CASES)('adjusts %s', (_, tool, sent, withForm, without) => {
    expect(list(schemaOf(tool, sent), FORM)).toBe(schemaOf(tool, withForm));
    expect(list(schemaOf(tool, sent), {})).toBe(schemaOf(tool, without));
  });

  it.each(CASES)('leaves %s as it is once it is so', (_, tool, __, withForm, without) => {
    expect(list(schemaOf(tool, withForm), FORM)).toBe(schemaOf(tool, withForm));
    expect(list(schemaOf(tool, without), {})).toBe(schemaOf(tool, without));
  });

  it('takes a client that declares only url mode for one that cannot be asked by form', () => {
    const sent = schemaOf('ze_execute', '{"properties":{"command":{}}}');
    const demanding = schemaOf('ze_execute', '{"properties":{"command":{}},"required":["command"]}');
    expect(list(sent, { elicitation: { url: {} } })).toBe(demanding);
    expect(list(demanding, { elicitation: {} })).toBe(sent);
  });

  it.each([
    ...['null', '7', '{"name":"ze_execute"}', '"ze_execute"', '[]', '[null,7,"a",[],{}]'],
    ...['[{"name":"ze_execute"}]', '[{"name":"ze_execute","inputSchema":null}]'],
    ...['[{"name":["ze_execute"],"inputSchema":{"properties":{"command":{}}}}]'],
    ...['[{"inputSchema":{"properties":{"command":{}}}}]', '[{"name":"ze_execute","inputSchema":[]}]'],
  ])('leaves tools that are %s', (tools) => {
    expect(list(tools, {})).toBe(tools);
    expect(list(tools, FORM)).toBe(tools);
  });

  it('adjusts every tool of a name, and each page', () => {
    const tool = '{"name":"ze_execute","inputSchema":{"properties":{"command":{}}}}';
    const demanding =
      '{"name":"ze_execute","inputSchema":{"properties":{"command":{}},"required":["command"]}}';
    expect(list(`[${tool},null, ${tool}]`, {})).toBe(`[${demanding},null, ${demanding}]`);
  });

  it('leaves answers to other methods, errors and notifications', () => {
    const tools = schemaOf('ze_execute', '{"properties":{"command":{}}}');
    expect(list(tools, {}, 'tools/call')).toBe(tools);
    for (const text of [
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
      '{"method":"x","params":{}}',
    ]) {
      expect(rewritten(text, { method: 'tools/list', policy: POLICY })).toEqual({ text, told: [] });
    }
  });

  it('is told of only when it changed something, and does nothing where it is off', () => {
    const text = `{"result":{"tools":${schemaOf('ze_execute', '{"properties":{"command":{}}}')}}}`;
    const told = (capabilities: object, policy = POLICY) =>
      rewritten(text, { method: 'tools/list', capabilities: capabilities as never, policy }).told;
    expect(told({})).toEqual(['tools-list-required']);
    expect(told(FORM)).toEqual([]);
    expect(told({}, route([], { tools: TOOLS }))).toEqual([]);
  });

  it('keeps every other byte of whatever list', () => {
    const names = fc.constantFrom('ze_execute', 'two', 'other', '__proto__', 'é"\\');
    const argument = fc.constantFrom('command', 'a', 'b', 'c', '__proto__');
    const rest = fc.jsonValue({ maxDepth: 2 });
    const schema = fc.record(
      {
        required: fc.uniqueArray(argument),
        properties: fc.dictionary(argument, rest),
        'x-mcp-header': rest,
        big: rest,
      },
      { requiredKeys: [] },
    );
    const tools = fc.array(fc.record({ name: names, extra: rest, inputSchema: schema, annotations: rest }));
    const property = fc.property(
      tools,
      fc.constantFrom(undefined, 1, '\t'),
      fc.boolean(),
      (all, indent, form) => {
        const text = JSON.stringify({ result: { n: 'N', tools: all } }, null, indent).replace(
          '"N"',
          '18446744073709551615',
        );
        const options = { method: 'tools/list', capabilities: form ? FORM : {}, policy: POLICY };
        const changed = rewritten(text, options).text;
        const without = (whole: string) => JSON.stringify(stripped(JSON.parse(whole)));
        expect(without(changed)).toBe(without(text));
        expect(changed).toContain('18446744073709551615');
        expect(rewritten(changed, options)).toEqual({ text: changed, told: [] });
        expect(isSubsequence(form ? changed : text, form ? text : changed)).toBe(true);
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });
});

/** The answer without what the rewrite is about. */
function stripped(answer: { result: { tools: { inputSchema: { required?: unknown } }[] } }): object {
  for (const { inputSchema } of answer.result.tools) delete inputSchema.required;
  return answer;
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at === part.length;
}
