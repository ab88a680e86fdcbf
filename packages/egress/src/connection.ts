import type { Socket } from "node:net";

/** A connection that is being opened or used. */
export class Connection {
  readonly startedAt = performance.now();
  dnsMs: number | null = null;
  connectMs: number | null = null;
  tlsMs: number | null = null;
  socket: Socket | null = null;
  /** The address that the socket is connected to. It is kept after the socket has closed. */
  remoteAddress: string | null = null;
  /** Whether a request was written to the connection. Requests after the first one did not wait for DNS, TCP or TLS. */
  isUsed = false;
  /** The value of the socket's `bytesRead` that must not be exceeded; 0 before the first request. */
  #mostBytes = 0;
  #onExcess = (): void => this.#destroy();

  /** Allows this many more bytes to arrive, including heads and framing. If more arrive, calls `onExcess`. */
  expectBytes(count: number, onExcess: () => void): void {
    this.#mostBytes = (this.socket?.bytesRead ?? 0) + count;
    this.#onExcess = onExcess;
  }

  /** Allows no more bytes: if any arrive, the connection is closed. */
  expectNothing(): void {
    this.expectBytes(0, () => this.#destroy());
  }

  /**
   * Checks the limit. Call this whenever bytes have arrived, because the parser does not report all of them: it skips
   * spaces, reason phrases and extensions of any length.
   */
  checkReceived(): void {
    if ((this.socket?.bytesRead ?? 0) <= this.#mostBytes) {
      return;
    }
    this.#mostBytes = Number.POSITIVE_INFINITY;
    this.#onExcess();
  }

  #destroy(): void {
    this.socket?.destroy();
  }
}

/** Holds at most one connection. If that connection is lost, another one can take its place. */
export class ConnectionSlot {
  current: Connection | null = null;
}
