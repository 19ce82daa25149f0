/** The server that mcp-proxy runs: answers each line, to a tools/call with the result that it was started with. */
import { createInterface } from 'node:readline';

const result = process.argv[2] ?? '{}';
const info = { name: 'bench', version: '1' };

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const hello = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: info };
  const answer = method === 'tools/call' ? result : JSON.stringify(method === 'initialize' ? hello : {});
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${answer}}\n`);
});
