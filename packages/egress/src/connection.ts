import type { Socket } from "node:net";

/** A connection that is being made or used. */
export class Connection {
  readonly startedAt = performance.now();
  dnsMs: number | null = null;
  connectMs: number | null = null;
  tlsMs: number | null = null;
  socket: Socket | null = null;
  /** The address that the socket was connected to; it outlives the socket. */
  remoteAddress: string | null = null;
  /** Whether a request was written to it: later ones did not wait for DNS, TCP or TLS. */
  isUsed = false;
  /** Bytes that may have come over the socket in all: nothing before the first request. */
  #mostBytes = 0;
  #onExcess = (): void => this.#destroy();

  /** Lets so many bytes come, heads and framing included; calls `onExcess` when there are more. */
  expectBytes(count: number, onExcess: () => void): void {
    this.#mostBytes = (this.socket?.bytesRead ?? 0) + count;
    this.#onExcess = onExcess;
  }

  /** Whatever comes now was not asked for, and ends the connection. */
  expectNothing(): void {
    this.expectBytes(0, () => this.#destroy());
  }

  /**
   * To be called whenever something came. Not all of it is told to whoever waits for an answer: the parser passes over
   * blanks, reasons and extensions of any length without a word.
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

/** The place of one connection at a time; a lost one is replaced. */
export class ConnectionSlot {
  current: Connection | null = null;
}
