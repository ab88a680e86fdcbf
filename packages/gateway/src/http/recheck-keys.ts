import type { Principal } from "../secrets/principal.ts";
import type { OpenRequests } from "./open-requests.ts";

/** Where other processes delete keys too: who still is somebody, and how often that is asked. */
export interface KeyRecheck {
  readonly everyMs: number;
  /** What a key may do at this moment; undefined once it is deleted. */
  readonly principalOf: (workspaceId: string, keyId: string) => Promise<Principal | undefined>;
}

/** Ends the requests of keys that another process has deleted, until `closing` is aborted. */
export function recheckKeys(open: OpenRequests, { everyMs, principalOf }: KeyRecheck, closing?: AbortSignal): void {
  const timer = setInterval(() => {
    for (const [keyId, workspaceId] of open.keys()) {
      principalOf(workspaceId, keyId).then(
        (principal) => principal === undefined && open.endOf(keyId),
        // A store that does not answer says nothing about a key. It is asked again.
        () => undefined,
      );
    }
  }, everyMs);
  timer.unref();
  closing?.addEventListener("abort", () => clearInterval(timer));
}
