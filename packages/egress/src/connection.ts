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
  /** When the latest response ended, on both clocks, in ms; 0 while a request is in flight. */
  #idleSinceMonotonic = 0;
  #idleSinceWall = 0;
  /** The value of the socket's `bytesRead` that must not be exceeded; 0 before the first request. */
  #mostBytes = 0;
  readonly #close = (): void => {
    this.socket?.destroy();
  };
  #onExcess: () => void = this.#close;

  /**
   * How long no request has been in flight, in ms; 0 before the first one. The wall clock also counts the time for
   * which the machine slept.
   */
  get idleMs(): number {
    if (this.#idleSinceWall === 0) return 0;
    return Math.max(performance.now() - this.#idleSinceMonotonic, Date.now() - this.#idleSinceWall);
  }

  /** Allows this many more bytes to arrive, including heads and framing. If more arrive, calls `onExcess`. */
  expectBytes(count: number, onExcess: () => void): void {
    this.#idleSinceWall = 0;
    this.#mostBytes = (this.socket?.bytesRead ?? 0) + count;
    this.#onExcess = onExcess;
  }

  /** Starts the idle time, in which no more bytes are allowed: if any arrive, the connection is closed. */
  becomeIdle(): void {
    this.expectBytes(0, this.#close);
    this.#idleSinceMonotonic = performance.now();
    this.#idleSinceWall = Date.now();
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
}

/** Holds at most one connection. If that connection is lost, another one can take its place. */
export class ConnectionSlot {
  current: Connection | null = null;
}
