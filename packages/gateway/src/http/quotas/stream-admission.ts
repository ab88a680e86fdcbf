import type { Quotas } from "@yagate/protocol";
import { OpenStreams, type StreamSlot } from "./open-streams.ts";

/** Limits the event streams of each workspace in this process to the number that its plan allows. */
export class StreamAdmission {
  readonly #quotasOf: (workspaceId: string) => Promise<Quotas>;
  readonly #streams = new OpenStreams();

  constructor(quotasOf: (workspaceId: string) => Promise<Quotas>) {
    this.#quotasOf = quotasOf;
  }

  /**
   * Takes a slot. Call this before starting or reading an execution. The slot is freed as soon as the client
   * disconnects (`signal`), even if the gateway is still reading events for the stream.
   *
   * @throws QuotaExceededError if the workspace has too many streams.
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

  /** Returns the largest number of streams that are open for any one execution of the workspace. */
  mostOfOneExecution(workspaceId: string): number {
    return this.#streams.mostOfOneExecution(workspaceId);
  }
}
