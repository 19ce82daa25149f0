/** A plain client of the revision: builds conforming requests, hands back exactly what came. */
import {
  HEADER_METHOD,
  HEADER_NAME,
  HEADER_PROTOCOL_VERSION,
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_PROTOCOL_VERSION,
  REVISION,
} from '../../src/protocol/constants.js';

export const FORM = { elicitation: { form: {} } };
export const URL_ONLY = { elicitation: { url: {} } };
export const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

export interface CallOptions {
  readonly id?: string | number;
  readonly params?: Record<string, unknown>;
  readonly capabilities?: unknown;
  readonly meta?: Record<string, unknown>;
  /** Undefined takes a header away. */
  readonly headers?: Record<string, string | undefined>;
  readonly signal?: AbortSignal;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body, or the last event's message. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read freely into what they assert
  readonly message: any;
  /** Data of every event, when it was a stream. */
  readonly events: readonly string[];
}

/** The body text of a request that conforms but for what the options say. */
export function requestText(method: string, options: CallOptions = {}): string {
  const _meta = {
    [META_PROTOCOL_VERSION]: REVISION,
    [META_CLIENT_INFO]: { name: 'test', version: '1' },
    [META_CLIENT_CAPABILITIES]: options.capabilities ?? {},
    ...options.meta,
  };
  return JSON.stringify({
    jsonrpc: '2.0',
    id: options.id ?? 1,
    method,
    params: { ...options.params, _meta },
  });
}

export function requestHeaders(method: string, options: CallOptions = {}): Record<string, string> {
  const name = options.params?.name ?? options.params?.uri ?? options.params?.taskId;
  const headers: Record<string, string | undefined> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    [HEADER_PROTOCOL_VERSION]: REVISION,
    [HEADER_METHOD]: method,
    [HEADER_NAME]: typeof name === 'string' ? name : undefined,
    ...options.headers,
  };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Sends one request and waits for the whole answer. */
export async function call(url: string, method: string, options: CallOptions = {}): Promise<Received> {
  return receive(await open(url, method, options));
}

export function callTool(
  url: string,
  name: string,
  args: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Received> {
  return call(url, 'tools/call', { ...options, params: { name, arguments: args, ...options.params } });
}

/** Sends one request and returns as soon as the answer's headers are there. */
export function open(url: string, method: string, options: CallOptions = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: requestHeaders(method, options),
    body: requestText(method, options),
    ...(options.signal && { signal: options.signal }),
  });
}

/** Sends these bytes as they are, with the headers of this method's request. */
export async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<Received> {
  return receive(await fetch(url, { method: 'POST', headers, body }));
}

export async function receive(response: Response): Promise<Received> {
  const text = await response.text();
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const events = streamed ? eventData(text) : [];
  const last = streamed ? events.at(-1) : text;
  return {
    status: response.status,
    headers: response.headers,
    text,
    message: parse(last),
    events,
  };
}

/** Reads an open stream event by event. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = '';

  constructor(response: Response) {
    const body = response.body ?? new ReadableStream<Uint8Array<ArrayBuffer>>();
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next block (an event or a comment) as text; undefined when the stream ended. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const part = await this.#reader.read();
      if (part.done) return undefined;
      this.#text += part.value;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read freely into what they assert
  async nextMessage(): Promise<any> {
    for (let block = await this.next(); block !== undefined; block = await this.next()) {
      const data = eventData(`${block}\n\n`)[0];
      if (data !== undefined) return JSON.parse(data);
    }
    return undefined;
  }

  async leave(): Promise<void> {
    await this.#reader.cancel();
  }
}

function eventData(text: string): string[] {
  return text
    .split('\n\n')
    .map((block) =>
      block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
        .join('\n'),
    )
    .filter((data) => data !== '');
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
