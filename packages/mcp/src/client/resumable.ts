import type { Resumption } from "@yagate/protocol";
import type { Session } from "./open-session.ts";
import type { McpResumptionOptions } from "./port.ts";

/** Least time between two reports of one response, in ms. A report costs a commit; an earlier event only repeats progress. */
const REPORT_MS = 10_000;
/** Longer ids are not stored, so their response cannot be resumed by another process. */
const MAX_ID_CHARACTERS = 1_024;

/** Watches whether another process could read the response to a call, and leaves it to that process. */
export class Resumable {
  /** Aborted if the call is detached although no other process could resume it. */
  readonly givenUp: AbortSignal;
  readonly #options: McpResumptionOptions;
  readonly #giving = new AbortController();
  #session: Session | undefined;
  #reportedAt: number | undefined;

  constructor(options: McpResumptionOptions) {
    this.#options = options;
    this.givenUp = this.#giving.signal;
    if (options.resumption !== undefined) this.#reportedAt = performance.now();
    options.detach?.addEventListener("abort", this.#detach, { once: true });
    if (options.detach?.aborted === true) this.#detach();
  }

  /** Called when the connection is open. */
  begin(session: Session): void {
    this.#session = session;
  }

  /** Called when the call is over. */
  readonly end = (): void => {
    this.#options.detach?.removeEventListener("abort", this.#detach);
  };

  /** Takes the id of an event of the response. Only sessions of older revisions outlive a connection. */
  readonly take = (eventId: string): void => {
    const { transport: { sessionId, protocolVersion } = {}, verdict } = this.#session ?? {};
    if (sessionId === undefined || protocolVersion === undefined || verdict?.kind === "modern") return;
    if (![sessionId, protocolVersion, eventId].every(isUsable)) return;
    const now = performance.now();
    if (this.#reportedAt !== undefined && now - this.#reportedAt < REPORT_MS) return;
    this.#reportedAt = now;
    const resumption: Resumption = { sessionId, protocolVersion, eventId };
    this.#options.onResumable?.(resumption);
  };

  readonly #detach = (): void => {
    if (this.#session === undefined || this.#reportedAt === undefined) this.#giving.abort();
    else void this.#session.detach();
  };
}

/** The value becomes a header of a later request. */
function isUsable(value: string): boolean {
  return value.length <= MAX_ID_CHARACTERS && /^[\x21-\x7e]+$/.test(value);
}
