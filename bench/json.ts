/** What measuring a text costs, in multiples of JSON.parse of the same text: `node --import tsx bench/json.ts [name]`. */
import { findRepeated, measure } from '../src/protocol/json.js';
import { toolsOf } from './lab/tools.js';

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

const mirrored = toolsOf(200, { 'x-mcp-header': 'Command' });
const tools = { jsonrpc: '2.0', id: 1, result: { tools: mirrored, ttlMs: 3_600_000 } };
const call = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'a', arguments: { b: 'c d e' } },
};
const rows = list(1_000, (id) => ({ id, name: `row ${id}`, active: true, label: 'a "quoted" thing' }));

const CORPORA: ReadonlyMap<string, string> = new Map([
  ['request', JSON.stringify(call)],
  ['tools', JSON.stringify(tools)],
  ['tools, indented', JSON.stringify(tools, null, 2)],
  ['long text', JSON.stringify({ text: 'lorem ipsum dolor sit amet\n'.repeat(40_000) })],
  ['JSON in a string', JSON.stringify({ text: JSON.stringify(rows) })],
  ['escaped quotes', `"${'\\"'.repeat(500_000)}"`],
  ['backslashes', `"${'\\\\'.repeat(500_000)}"`],
  ['many keys', JSON.stringify(Object.fromEntries(list(100_000, (index) => [`key${index}`, index])))],
  ['deep arrays', '['.repeat(500_000) + ']'.repeat(500_000)],
  ['deep objects', `${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`],
  ['numbers', JSON.stringify(list(100_000, (index) => index * 1.37))],
  ['small objects', `[${'{"a":1},'.repeat(100_000)}{}]`],
]);

function microseconds(run: () => unknown): number {
  const once = elapsed(run, 1);
  const rounds = Math.max(2, Math.min(50_000, Math.floor(50_000 / once)));
  elapsed(run, rounds);
  return Math.min(...list(7, () => elapsed(run, rounds)));
}

function elapsed(run: () => unknown, rounds: number): number {
  const began = performance.now();
  for (let round = 0; round < rounds; round += 1) run();
  return ((performance.now() - began) * 1_000) / rounds;
}

/** Every shape is seen before any is timed, as in a process that has served for a while. */
for (const text of CORPORA.values()) elapsed(() => measure(text, JSON.parse(text)), 10);
const wanted = process.argv[2] ?? '';
for (const [name, text] of CORPORA) {
  if (!name.includes(wanted)) continue;
  const value = JSON.parse(text);
  const parse = microseconds(() => JSON.parse(text));
  const measured = microseconds(() => measure(text, value)) / parse;
  const searched = microseconds(() => findRepeated(text)) / parse;
  const columns = [
    name.padEnd(18),
    `${String(text.length).padStart(8)} chars`,
    `parse ${parse.toFixed(1).padStart(8)} µs`,
    `measure ${measured.toFixed(2)}`,
    `findRepeated ${searched.toFixed(2)}`,
  ];
  console.log(columns.join('  '));
}
