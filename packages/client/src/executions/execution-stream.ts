import type { StreamEvent } from "@yagate/protocol";
import { NotFinishedError } from "../errors/not-finished-error.ts";
import { EventQueue } from "../events/event-queue.ts";
import { linkAbort } from "../http/link-abort.ts";
import type { Transport } from "../http/transport.ts";
import { type EventSource, ExecutionFollower } from "./execution-follower.ts";
import { type ExecutionResult, loadResult } from "./execution-result.ts";
import { FallbackResponder } from "./fallback-responder.ts";
import type { OnToolError } from "./on-tool-error.ts";
import { streamText } from "./stream-text.ts";
import { requireWaitOptions, type WaitOptions } from "./wait-options.ts";
import { WaitingReporter } from "./waiting-reporter.ts";

/** Options for {@link ExecutionStream}. */
export interface ExecutionStreamOptions extends WaitOptions {
  readonly transport: Transport;
  readonly source: EventSource;
  readonly onToolError: OnToolError | undefined;
  /**
   * Called with every event, before `onToolError` is called for that event. If the function throws, the stream ends
   * with that error.
   */
  readonly onEvent?: ((event: StreamEvent) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The events of one execution, as they happen. Iterate over the stream once; {@link ExecutionStream.result} returns the
 * ended execution.
 *
 * The stream starts to listen when it is created, and does not wait for the loop: a slow loop delays neither the
 * execution nor `onToolError`. Leaving the loop stops listening, but not the execution; a new loop or `result()`
 * continues where the last loop stopped. `abort()` stops listening permanently. The loop and `result()` reject with any
 * error, or with the signal's reason if `signal` is aborted.
 */
export class ExecutionStream implements AsyncIterable<StreamEvent> {
  /** The id of the execution. Resolves when the gateway has sent it, at the latest with the first event. */
  readonly executionId: Promise<string>;
  readonly #options: ExecutionStreamOptions;
  readonly #follower: ExecutionFollower;
  readonly #desk: FallbackResponder | undefined;
  readonly #queue = new EventQueue<StreamEvent>();
  readonly #waiting: WaitingReporter;
  /** When to stop listening, in ms since the epoch; undefined for no limit. */
  readonly #deadline: number | undefined;
  #settleId: { resolve(id: string): void; reject(error: unknown): void } | undefined;
  #listening: { readonly done: Promise<void>; stop(): void } | undefined;
  #end: { readonly error?: unknown; readonly hasFailed: boolean } | undefined;
  #result: Promise<ExecutionResult> | undefined;

  /** @internal Only `agents.stream` and `executions.events` create streams. */
  constructor(options: ExecutionStreamOptions) {
    const { transport, source, onToolError, onWaiting, signal, maxWaitMs } = options;
    this.#options = options;
    requireWaitOptions({ onWaiting, maxWaitMs });
    this.#deadline = maxWaitMs === undefined ? undefined : transport.runtime.now() + maxWaitMs;
    this.#follower = new ExecutionFollower(transport, source);
    this.#waiting = new WaitingReporter(transport.runtime, onWaiting, (error) => this.#fail(error));
    this.#desk = onToolError && new FallbackResponder({ transport, onToolError, signal });
    this.executionId = new Promise((resolve, reject) => {
      this.#settleId = { resolve, reject };
    });
    // Code that does not use the id must not cause an unhandled rejection.
    this.executionId.catch(() => {});
    this.#nameExecution();
    this.#listen();
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, undefined> {
    return {
      next: () => {
        this.#listen();
        return this.#queue.next();
      },
      return: async () => {
        if (this.#result === undefined && !this.#queue.isAwaited) this.#listening?.stop();
        return { done: true, value: undefined };
      },
    };
  }

  /** Waits until the execution has ended, and returns it. Its `status` is `completed`, `failed` or `cancelled`. */
  result(): Promise<ExecutionResult> {
    this.#result ??= this.#waitForResult();
    return this.#result;
  }

  /**
   * Yields the text of the execution in chunks, as the model writes it, starting at the first event that no loop has
   * taken yet. A blank line separates the texts of two model turns. The text ends when the execution ends; `result()`
   * returns its status. Iterate over the text or over the events, not both.
   */
  text(): AsyncGenerator<string, void, undefined> {
    return streamText(this);
  }

  /**
   * Stops listening permanently: the loop and `result()` reject with the reason. The execution continues;
   * `executions.cancel` stops it. Has no effect after the execution has ended.
   *
   * @param reason - default: an `AbortError`.
   */
  abort(reason?: unknown): void {
    const controller = new AbortController();
    controller.abort(reason);
    this.#fail(controller.signal.reason);
  }

  async #waitForResult(): Promise<ExecutionResult> {
    // A second iteration is needed only if a loop was just left and its connection is still closing.
    while (this.#end === undefined) {
      this.#listen();
      await this.#listening?.done;
    }
    if (this.#end.hasFailed) throw this.#end.error;
    const { transport, signal } = this.#options;
    return loadResult(transport, await this.executionId, { fallbackErrors: this.#desk?.errors ?? [], signal });
  }

  #listen(): void {
    if (this.#listening !== undefined || this.#end !== undefined) return;
    const controller = new AbortController();
    const unlink = linkAbort(this.#options.signal, controller);
    const stopTimer = this.#limitWait();
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      controller.abort();
    };
    const done = this.#read(controller.signal, () => isStopped).finally(() => {
      unlink();
      stopTimer();
      this.#waiting.stop();
      this.#listening = undefined;
      if (this.#queue.isAwaited) this.#listen();
    });
    this.#listening = { done, stop };
  }

  async #read(signal: AbortSignal, isStopped: () => boolean): Promise<void> {
    try {
      for await (const event of this.#follower.events(signal)) {
        this.#nameExecution();
        this.#options.onEvent?.(event);
        this.#desk?.take(event, this.#follower.gatewayNowMs);
        this.#waiting.take(event);
        this.#queue.push(event);
      }
      this.#end = { hasFailed: false };
      this.#queue.end();
    } catch (error) {
      if (!isStopped()) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { error, hasFailed: true };
    this.#queue.fail(error);
    this.#settleId?.reject(error);
    this.#listening?.stop();
  }

  #limitWait(): () => void {
    const { transport, maxWaitMs } = this.#options;
    if (this.#deadline === undefined || maxWaitMs === undefined) return () => {};
    return transport.runtime.after(Math.max(0, this.#deadline - transport.runtime.now()), () =>
      this.#fail(new NotFinishedError(maxWaitMs, this.#follower.executionId, this.#waiting.current)),
    );
  }

  #nameExecution(): void {
    const id = this.#follower.executionId;
    if (id !== undefined) this.#settleId?.resolve(id);
  }
}
