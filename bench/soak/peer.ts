/** Processes of a soak, and how they talk: the first one asks, the others answer each question once. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Peer {
  readonly ask: <T>(topic: string, content?: unknown) => Promise<T>;
  /** Lets it go and waits until it has ended. */
  readonly end: () => Promise<void>;
}

interface Question {
  readonly n: number;
  readonly topic: string;
  readonly content: unknown;
}

interface Answer {
  readonly n: number;
  readonly content: unknown;
}

/** `module` is the URL of the source that answers. A peer that ends by itself fails the soak. */
export function startPeer(module: URL): Peer {
  const child = fork(fileURLToPath(module));
  const waiting = new Map<number, (content: unknown) => void>();
  let asked = 0;
  child.on('message', ({ n, content }: Answer) => {
    waiting.get(n)?.(content);
    waiting.delete(n);
  });
  const ended = endOf(child);
  const failed = ended.then((code) => {
    throw new Error(`${module.pathname} ended with ${code}`);
  });
  failed.catch(() => undefined);
  return {
    ask: <T>(topic: string, content?: unknown) => {
      asked += 1;
      const n = asked;
      const answered = new Promise<T>((resolve) => waiting.set(n, resolve as (content: unknown) => void));
      child.send({ n, topic, content } satisfies Question);
      return Promise.race([answered, failed]);
    },
    end: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

async function endOf(child: ChildProcess): Promise<unknown> {
  const [code] = await once(child, 'exit');
  return code;
}

/** In a peer: answers the first process, and ends when that one lets go. */
export function answerFirst(topics: Readonly<Record<string, (content: never) => unknown>>): void {
  process.on('message', async ({ n, topic, content }: Question) => {
    const answer = topics[topic];
    if (answer === undefined) throw new Error(`nobody knows what ${topic} is`);
    process.send?.({ n, content: await answer(content as never) } satisfies Answer);
  });
  process.on('disconnect', () => process.exit());
}
