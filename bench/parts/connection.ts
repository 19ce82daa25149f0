/** One kept connection with at most one request on it. */
import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.js';
import type { Exchange } from './protocol.js';

const READ_BYTES = 65_536;

export interface ConnectionEvents {
  /** The answer is there; `fault` says what is wrong with it. */
  readonly answered: (connection: Connection, fault: string | undefined) => void;
  /** The request that this connection ended under may be sent once more. */
  readonly mayResend: () => boolean;
}

export class Connection {
  /** When the request that is under way was due, as performance.now() tells it. */
  dueMs = 0;
  readonly #port: number;
  readonly #events: ConnectionEvents;
  #socket: Socket | undefined;
  #reader = new AnswerReader();
  #exchange: Exchange | undefined;
  /** It has carried an exchange before. */
  #kept = false;

  constructor(port: number, events: ConnectionEvents) {
    this.#port = port;
    this.#events = events;
  }

  send(exchange: Exchange, dueMs: number): void {
    this.dueMs = dueMs;
    this.#exchange = exchange;
    this.#socket ??= this.#connect();
    this.#socket.write(exchange.request);
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #connect(): Socket {
    this.#reader = new AnswerReader();
    this.#kept = false;
    const onread = {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (count: number, buffer: Uint8Array): boolean =>
        this.#read(socket, (buffer as Buffer).subarray(0, count)),
    };
    const socket: Socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true, onread });
    socket.on('error', (error: NodeJS.ErrnoException) => this.#lost(socket, error.code ?? 'error'));
    socket.on('close', () => this.#lost(socket, 'closed'));
    return socket;
  }

  #read(socket: Socket, chunk: Buffer): boolean {
    if (socket !== this.#socket) return true;
    if (this.#exchange === undefined) this.#lost(socket, 'bytes that nobody asked for');
    else if (this.#reader.take(chunk)) this.#end(this.#exchange, this.#reader);
    return true;
  }

  #end({ status, bodyBytes, slackBytes }: Exchange, answer: AnswerReader): void {
    if (answer.closes) this.close();
    this.#exchange = undefined;
    this.#kept = true;
    if (answer.status !== status) this.#events.answered(this, `status ${answer.status}`);
    else if (Math.abs(answer.bodyBytes - bodyBytes) <= slackBytes) this.#events.answered(this, undefined);
    else this.#events.answered(this, `${answer.bodyBytes} bytes instead of ${bodyBytes}`);
  }

  #lost(socket: Socket, why: string): void {
    if (socket !== this.#socket) return;
    this.close();
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    if (this.#kept && !this.#reader.begun && this.#events.mayResend()) return this.send(exchange, this.dueMs);
    this.#exchange = undefined;
    this.#events.answered(this, why);
  }
}
