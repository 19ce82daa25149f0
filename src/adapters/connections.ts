/** The client connections of a listener. Once it ends, each closes as soon as it owes no reply. */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { Roster } from './roster.js';

export class Connections {
  readonly #open = new Set<Socket>();
  readonly #owed = new Roster<ServerResponse>();
  #ending = false;

  constructor(readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  /** Every request passes here before it is answered. */
  owe(res: ServerResponse): void {
    if (this.#ending) res.shouldKeepAlive = false;
    const place = this.#owed.enter(res);
    res.on('close', () => this.#paid(res, place));
  }

  /**
   * Stops accepting and closes what is idle. Resolves when the last connection has closed. The close of node:http would
   * also cut replies that are written and not yet sent.
   */
  end(): Promise<void> {
    this.#ending = true;
    const owing = new Set<Socket>();
    for (const res of this.#owed.present()) {
      res.shouldKeepAlive = false;
      owing.add(res.req.socket);
    }
    return new Promise((resolve) => {
      Reflect.apply(NetServer.prototype.close, this.server, [() => resolve()]);
      for (const socket of this.#open) if (!owing.has(socket)) socket.destroy();
    });
  }

  /** Cuts whatever is still open. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #paid(res: ServerResponse, place: number): void {
    this.#owed.leave(place, res);
    if (!this.#ending) return;
    const { socket } = res.req;
    if (this.#owed.present().some((other) => other.req.socket === socket)) return;
    socket.destroySoon();
  }
}
