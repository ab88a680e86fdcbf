import type { CancelSignal } from "@yagate/lib/async/cancellation";
import type { Exchange, ExchangeOwner } from "./exchange.ts";
import type { LateWatch } from "./message.ts";

interface LateResponseParts {
  readonly exchange: Exchange;
  readonly watch: LateWatch;
  /** Time on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Status of the response; undefined if its head had not arrived by the deadline. */
  readonly status: number;
  readonly receivedBytes: number;
  readonly maxResponseBytes: number;
  readonly signal: CancelSignal | undefined;
}

/** Waits a limited time for the end of a response that is no longer needed, and discards its body. */
export class LateResponse implements ExchangeOwner {
  readonly #parts: LateResponseParts;
  readonly #timer: NodeJS.Timeout;
  #status: number;
  #receivedBytes: number;

  constructor(parts: LateResponseParts) {
    this.#parts = parts;
    this.#status = parts.status;
    this.#receivedBytes = parts.receivedBytes;
    this.#timer = setTimeout(this.#giveUp, parts.watch.forMs);
    parts.signal?.addEventListener("abort", this.#giveUp, { once: true });
  }

  onHead(status: number): void {
    this.#status = status;
  }

  onChunk(chunk: Uint8Array): void {
    this.#receivedBytes += chunk.byteLength;
    if (this.#receivedBytes > this.#parts.maxResponseBytes) this.#giveUp();
  }

  onEnd(): void {
    const { exchange, watch, startedAt } = this.#parts;
    if (!exchange.succeed()) return;
    this.#release();
    const elapsedMs = performance.now() - startedAt;
    watch.onAnswer({ status: this.#status, elapsedMs, responseBytes: this.#receivedBytes });
  }

  onFailure(): void {
    this.#release();
  }

  readonly #giveUp = (): void => {
    this.#parts.exchange.fail(
      "TIMEOUT",
      "the response arrived too late",
      "the call no longer waits for a late response",
    );
  };

  #release(): void {
    clearTimeout(this.#timer);
    this.#parts.signal?.removeEventListener("abort", this.#giveUp);
    this.#parts.watch.onOver();
  }
}
