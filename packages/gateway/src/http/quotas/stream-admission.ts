import type { Quotas } from "@yagate/protocol";
import { OpenStreams, type StreamSlot } from "./open-streams.ts";

/** Lets event streams of a workspace in, as many as its plan allows on this process. */
export class StreamAdmission {
  readonly #quotasOf: (workspaceId: string) => Promise<Quotas>;
  readonly #streams = new OpenStreams();

  constructor(quotasOf: (workspaceId: string) => Promise<Quotas>) {
    this.#quotasOf = quotasOf;
  }

  /**
   * Takes a place before anything is started or read. It is free again as soon as `signal` says that the client has
   * gone, however long the reading behind the stream takes to end.
   *
   * @throws QuotaExceededError.
   */
  async open(workspaceId: string, signal: AbortSignal): Promise<StreamSlot> {
    const slot = this.#streams.open(workspaceId, await this.#quotasOf(workspaceId));
    if (signal.aborted) slot.close();
    else signal.addEventListener("abort", () => slot.close(), { once: true });
    return slot;
  }

  used(workspaceId: string): number {
    return this.#streams.used(workspaceId);
  }

  /** The most that any one execution has. */
  mostOfOneExecution(workspaceId: string): number {
    return this.#streams.mostOfOneExecution(workspaceId);
  }
}
