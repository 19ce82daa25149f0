/** Python's json in a process of its own, which reads one message after the other. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type AskedFor, type Meaning, sorted } from '../oracle/meaning.js';
import { wellFormed } from '../oracle/values.js';

const PROGRAM = fileURLToPath(new URL('../oracle/meaning.py', import.meta.url));

/** As the program prints it: null for what a message has none of. */
interface Printed extends Record<'method' | 'name' | 'state' | 'type', string | null> {
  readonly id: { readonly string: string } | { readonly integer: string } | { readonly float: string } | null;
  readonly asked: readonly (AskedFor & Record<'kind' | 'mode' | 'message' | 'url', string | null>)[] | null;
}

export function startPython(program: string): (text: string) => Promise<Meaning> {
  const python = spawn(program, ['-I', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void python.kill());
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  return async (text) => {
    python.stdin.write(`${Buffer.from(text).toString('base64')}\n`);
    const line = await lines.next();
    if (line.done === true) throw new Error('Python could not read the message');
    return asMeaning(JSON.parse(line.value) as Printed);
  };
}

function asMeaning({ method, id, name, state, type, asked }: Printed): Meaning {
  return {
    method: known(method),
    id: idText(id),
    name: known(name),
    state: known(state),
    type: known(type),
    asked: asked === null ? undefined : sorted(asked.map(asAskedFor)),
  };
}

function asAskedFor({
  key,
  kind,
  mode,
  message,
  url,
  fields,
}: NonNullable<Printed['asked']>[number]): AskedFor {
  const names = fields.map(wellFormed).sort();
  return {
    ...{
      key: wellFormed(key),
      kind: known(kind),
      mode: known(mode),
      message: known(message),
      url: known(url),
    },
    fields: names,
  };
}

function known(text: string | null): string | undefined {
  return text === null ? undefined : wellFormed(text);
}

function idText(id: Printed['id']): string | undefined {
  if (id === null) return undefined;
  if ('string' in id) return JSON.stringify(wellFormed(id.string));
  return 'integer' in id ? id.integer : String(Number(id.float));
}
