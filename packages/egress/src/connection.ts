import type { Socket } from "node:net";

/** A connection that is being opened or used. */
export class Connection {
  readonly startedAt = performance.now();
  dnsMs: number | null = null;
  connectMs: number | null = null;
  tlsMs: number | null = null;
  socket: Socket | null = null;
  /** The address that the socket is connected to; kept after the socket has closed. */
  remoteAddress: string | null = null;
  /** Whether a request was written to it: later ones did not wait for DNS, TCP or TLS. */
  isUsed = false;
  /** Maximum number of bytes that may arrive over the socket in all; 0 before the first request. */
  #mostBytes = 0;
  #onExcess = (): void => this.#destroy();

  /** Allows this many bytes to arrive, including heads and framing; calls `onExcess` for more. */
  expectBytes(count: number, onExcess: () => void): void {
    this.#mostBytes = (this.socket?.bytesRead ?? 0) + count;
    this.#onExcess = onExcess;
  }

  /** Any further bytes are unexpected and end the connection. */
  expectNothing(): void {
    this.expectBytes(0, () => this.#destroy());
  }

  /**
   * Call this whenever bytes have arrived. The parser does not report all of them: it skips spaces, reason phrases and
   * extensions of any length.
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

/** Holds one connection at a time; a lost one is replaced. */
export class ConnectionSlot {
  current: Connection | null = null;
}
