/** The client's connections: kept open, and no more than a crowd of clients has. */
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import { connect } from 'node:net';

const SILENCE_MS = 30_000;
/** Idle connections are given up well before the gateway would. */
const IDLE_MS = 20_000;
/** Several times what the traffic takes; without a bound a machine that is short of time would drown in connections. */
const MOST_CONNECTIONS = 512;

export interface Sent {
  readonly path: string;
  /** POST unless given. */
  readonly method?: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** There was no answer, or not the whole of it. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

export class Wire {
  readonly #agent = new Agent({ keepAlive: true, timeout: IDLE_MS, maxSockets: MOST_CONNECTIONS });
  readonly #host: string;
  readonly #port: number;

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** The request on its way, for whoever wants to leave, and the answer once its head is there. */
  open({ path, method = 'POST', headers, body }: Sent): {
    readonly sending: ClientRequest;
    readonly answer: Promise<IncomingMessage>;
  } {
    const where = { host: this.#host, port: this.#port, path, method, agent: this.#agent };
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sending = request({ ...where, headers: { ...headers, ...length } });
    sending.setTimeout(SILENCE_MS, () => sending.destroy(new Error(`silent for ${SILENCE_MS} ms`)));
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      sending.on('response', resolve).on('error', (error) => reject(new Lost(String(error))));
    });
    sending.end(body);
    return { sending, answer };
  }

  async send(sent: Sent): Promise<Reply> {
    const answer = await this.open(sent).answer;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of answer) chunks.push(chunk as Buffer);
    } catch (error) {
      throw new Lost(`in the middle of the answer: ${error}`);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  }

  /** Sends these bytes on a connection of their own and cuts it. */
  async sendAndCut(bytes: string, afterMs: number): Promise<void> {
    const socket = connect(this.#port, this.#host);
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      socket.write(bytes, () => setTimeout(resolve, afterMs));
      socket.once('close', () => resolve());
    });
    socket.resetAndDestroy();
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** What each event of a stream says, comments left out. */
export function eventsOf(text: string): readonly string[] {
  return text
    .split('\n\n')
    .map((block) => block.split('\n').filter((line) => line.startsWith('data: ')))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.slice(6)).join('\n'));
}
