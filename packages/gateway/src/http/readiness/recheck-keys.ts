import { YagateError } from "@yagate/protocol";
import type { ActiveRequests } from "../requests/active-requests.ts";

/** Who keys and tokens still let in: other processes delete keys too, and each may be changed while it is used. */
export interface KeyRecheck {
  /** In ms. */
  readonly everyMs: number;
  readonly authenticate: (bearer: string) => Promise<unknown>;
}

/** Ends the requests of keys that open nothing any more, until `closing` is aborted. */
export function recheckKeys(open: ActiveRequests, { everyMs, authenticate }: KeyRecheck, closing?: AbortSignal): void {
  const timer = setInterval(() => {
    for (const bearer of open.bearers()) {
      authenticate(bearer).then(
        (principal) => principal === undefined && open.endLetInBy(bearer),
        // A store that does not answer says nothing about a key. It is asked again.
        (error: unknown) => YagateError.is(error) && error.code === "UNAUTHENTICATED" && open.endLetInBy(bearer),
      );
    }
  }, everyMs);
  timer.unref();
  closing?.addEventListener("abort", () => clearInterval(timer));
}
