import type { StreamEvent } from "@yagate/protocol";
import { EventQueue } from "../events/event-queue.ts";
import { linkAbort } from "../http/link-abort.ts";
import type { Transport } from "../http/transport.ts";
import { type EventSource, ExecutionFollower } from "./execution-follower.ts";
import { type ExecutionResult, loadResult } from "./execution-result.ts";
import { FallbackDesk } from "./fallback-desk.ts";
import type { OnToolError } from "./on-tool-error.ts";

/** Options of {@link ExecutionStream}. */
export interface ExecutionStreamOptions {
  readonly transport: Transport;
  readonly source: EventSource;
  readonly onToolError: OnToolError | undefined;
  /** Called with every event before `onToolError` is asked because of it; what it throws ends the stream. */
  readonly onEvent?: ((event: StreamEvent) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The events of one execution, as they happen. Iterate over it once; {@link ExecutionStream.result} gives the end.
 *
 * It listens from the moment it is made, at its own pace: a slow loop delays neither the execution nor `onToolError`.
 * Leaving the loop stops the listening, not the execution; looping again, or `result()`, takes it up where it stopped.
 * Errors (and the reason of an aborted `signal`) come out of the loop and of `result()`.
 */
export class ExecutionStream implements AsyncIterable<StreamEvent> {
  /** Resolves when the gateway has named the execution, with the first event at the latest. */
  readonly executionId: Promise<string>;
  readonly #options: ExecutionStreamOptions;
  readonly #follower: ExecutionFollower;
  readonly #desk: FallbackDesk | undefined;
  readonly #queue = new EventQueue<StreamEvent>();
  #settleId: { resolve(id: string): void; reject(error: unknown): void } | undefined;
  #listening: { readonly done: Promise<void>; stop(): void } | undefined;
  #end: { readonly error?: unknown; readonly hasFailed: boolean } | undefined;
  #result: Promise<ExecutionResult> | undefined;

  /** @internal Streams come from `agents.stream` and `executions.events`. */
  constructor(options: ExecutionStreamOptions) {
    const { transport, source, onToolError, signal } = options;
    this.#options = options;
    this.#follower = new ExecutionFollower(transport, source);
    this.#desk = onToolError && new FallbackDesk({ transport, onToolError, signal });
    this.executionId = new Promise((resolve, reject) => {
      this.#settleId = { resolve, reject };
    });
    // Whoever does not ask for the id must not be told of its absence by a crash.
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

  /** The execution's record once it has ended, in whatever way: its `status` says which. */
  result(): Promise<ExecutionResult> {
    this.#result ??= this.#waitForResult();
    return this.#result;
  }

  async #waitForResult(): Promise<ExecutionResult> {
    // More than one round only when a loop was left just now and its connection is still closing.
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
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      controller.abort();
    };
    const done = this.#read(controller.signal, () => isStopped).finally(() => {
      unlink();
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
        this.#queue.push(event);
      }
      this.#end = { hasFailed: false };
      this.#queue.end();
    } catch (error) {
      if (isStopped()) return;
      this.#end = { error, hasFailed: true };
      this.#queue.fail(error);
      this.#settleId?.reject(error);
    }
  }

  #nameExecution(): void {
    const id = this.#follower.executionId;
    if (id !== undefined) this.#settleId?.resolve(id);
  }
}
