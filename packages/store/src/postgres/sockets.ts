import { Socket } from "node:net";

/** The sockets below the connections of one store, so that its end does not wait for a server that says nothing. */
export class Sockets {
  readonly #open = new Set<Socket>();

  /** A socket that the library connects and wraps. */
  create(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
