/** The server behind every subject: reads a request and writes prepared bytes. Told by IPC what to answer. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { UpstreamOrder } from './protocol.js';

let answers: readonly (readonly Uint8Array[])[] = [];
let requests = 0;

process.on('message', (order: UpstreamOrder) => {
  answers = order.answers;
  process.send?.(requests);
  requests = 0;
});
process.on('disconnect', () => process.exit());

class Conversation {
  readonly #socket: Socket;
  #head = '';
  #left = 0;
  #answer = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => this.#take(chunk));
  }

  #take(chunk: Buffer): void {
    if (this.#left > 0) this.#left -= chunk.length;
    else if (!this.#begin(chunk)) return;
    if (this.#left > 0) return;
    requests += 1;
    this.#write(answers[this.#answer] ?? [], 0);
  }

  /** False until the head is whole. */
  #begin(chunk: Buffer): boolean {
    this.#head += chunk.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = this.#head.slice(0, end + 2);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
    if (Number.isNaN(length)) throw new Error(`a request without a length:\n${head}`);
    this.#left = length - (this.#head.length - end - 4);
    this.#answer = Number(/\r\nx-answer: *(\d+)/i.exec(head)?.[1] ?? 0);
    this.#head = '';
    return true;
  }

  #write(writes: readonly Uint8Array[], at: number): void {
    const bytes = writes[at];
    if (bytes === undefined || this.#socket.destroyed) return;
    this.#socket.write(bytes);
    if (at + 1 < writes.length) setImmediate(() => this.#write(writes, at + 1));
  }
}

const server = createServer((socket) => new Conversation(socket));
server.listen(0, '127.0.0.1', 4096, () => process.send?.((server.address() as AddressInfo).port));
