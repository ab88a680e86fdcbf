import type { Quotas } from "@yagate/protocol";
import { OpenStreams, type StreamSlot } from "./open-streams.ts";

/** Limits the event streams of each workspace in this process to those that its plan allows. */
export class StreamAdmission {
  readonly #quotasOf: (workspaceId: string) => Promise<Quotas>;
  readonly #streams = new OpenStreams();

  constructor(quotasOf: (workspaceId: string) => Promise<Quotas>) {
    this.#quotasOf = quotasOf;
  }

  /**
   * Takes a slot before anything is started or read. The slot is free again as soon as the client disconnects (`signal`),
   * even if reading for the stream takes longer to end.
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

  /** The highest number of streams for one execution. */
  mostOfOneExecution(workspaceId: string): number {
    return this.#streams.mostOfOneExecution(workspaceId);
  }
}
