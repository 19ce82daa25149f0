/** The client connections of a listener, counted by client. Once it ends, each closes as soon as it owes no reply. */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Observer } from '../engine/observer.js';
import { plainAddress } from './fields.js';
import { Roster } from './roster.js';

/** How long a connection beyond its client's share may take to send a request and to read that it is one too many. */
const EXCESS_MS = 1_000;

/** Connections that one client may have at once; 0: any number. */
export interface Share {
  readonly limit: number;
  /** Its connections are those of many clients. */
  readonly trustsProxy: (address: string | undefined) => boolean;
}

export class Connections {
  readonly #open = new Set<Socket>();
  readonly #owed = new Roster<ServerResponse>();
  readonly #byClient = new Map<string, number>();
  readonly #excess = new WeakSet<Socket>();
  /** Once it ends: the replies that each connection is owed. */
  #owing: Map<Socket, readonly ServerResponse[]> | undefined;

  constructor(
    readonly server: Server,
    readonly observer: Pick<Observer, 'limitRejected'>,
    public share: Share,
  ) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      this.#count(socket);
    });
  }

  /** Every request passes here before it is answered. */
  owe(res: ServerResponse): void {
    if (this.#owing !== undefined) this.#endWith(res, this.#owing);
    const place = this.#owed.enter(res);
    res.once('close', () => this.#paid(place, res));
  }

  /** The connection is beyond its client's share: a request on it is refused, and then it is closed. */
  isExcess(socket: Socket): boolean {
    return this.#excess.has(socket);
  }

  /** What is written to the connection now answers the request that is being read, since nothing else is to be sent. */
  isFree(socket: Socket): boolean {
    if (!socket.writable) return false;
    for (const { req, headersSent } of this.#owed.present())
      if (req.socket === socket && (headersSent || req.complete)) return false;
    return true;
  }

  /**
   * Stops accepting and closes what is idle. Resolves when the last connection has closed. The close of node:http would
   * also cut replies that are written and not yet sent.
   */
  end(): Promise<void> {
    const owing = new Map<Socket, readonly ServerResponse[]>();
    this.#owing = owing;
    for (const res of this.#owed.present()) add(owing, res);
    for (const owed of owing.values()) sayWhichIsLast(owed);
    return new Promise((resolve) => {
      Reflect.apply(NetServer.prototype.close, this.server, [() => resolve()]);
      for (const socket of this.#open) if (!owing.has(socket)) socket.destroy();
    });
  }

  /** Cuts whatever is still open. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #count(socket: Socket): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || this.share.trustsProxy(remoteAddress)) return;
    const client = plainAddress(remoteAddress);
    const count = (this.#byClient.get(client) ?? 0) + 1;
    this.#byClient.set(client, count);
    socket.once('close', () => this.#uncount(client));
    if (this.share.limit === 0 || count <= this.share.limit) return;
    this.#excess.add(socket);
    this.observer.limitRejected('socketsPerClient');
    const late = setTimeout(() => socket.destroy(), EXCESS_MS);
    socket.once('close', () => clearTimeout(late));
  }

  #uncount(client: string): void {
    const count = (this.#byClient.get(client) ?? 0) - 1;
    if (count > 0) this.#byClient.set(client, count);
    else this.#byClient.delete(client);
  }

  #paid(place: number, res: ServerResponse): void {
    this.#owed.leave(place, res);
    if (this.#owing === undefined) return;
    const { socket } = res.req;
    const left = this.#owing.get(socket)?.filter((other) => other !== res) ?? [];
    this.#owing.set(socket, left);
    if (left.length === 0) socket.destroySoon();
    else sayWhichIsLast(left);
  }

  /** A client that sends another request on its connection has not asked for the end of it before. */
  #endWith(res: ServerResponse, owing: Map<Socket, readonly ServerResponse[]>): void {
    for (const earlier of owing.get(res.req.socket) ?? []) earlier.shouldKeepAlive = true;
    add(owing, res);
    res.shouldKeepAlive = false;
  }
}

function add(owing: Map<Socket, readonly ServerResponse[]>, res: ServerResponse): void {
  const { socket } = res.req;
  owing.set(socket, [...(owing.get(socket) ?? []), res]);
}

/** After the reply that says so Node closes, whatever waits behind it. */
function sayWhichIsLast([last, ...others]: readonly ServerResponse[]): void {
  if (last !== undefined && others.length === 0) last.shouldKeepAlive = false;
}
