import { isTokenSubject } from "@yagate/lib/ids/token-subject";
import { YagateError } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import { isSessionCredential } from "../../console/console-access.ts";

/** One request in flight. */
interface OpenRequest {
  /** The authenticated principal; undefined before authentication. */
  principal?: Principal;
  /** What is checked again: a stored API key, a token that was created with such a key, or a session of the console. */
  credential?: string | undefined;
  /** The timer that ends the request when its key expires. */
  expiry?: NodeJS.Timeout;
  /**
   * Keys that were deleted while the request was being authenticated. The authentication may have read such a key
   * before it was deleted.
   */
  readonly deletedKeys: Set<string>;
}

/** Node's maximum for a timer. A longer timeout would fire immediately. */
const MAX_TIMER_MS = 2_147_483_647;

// One shared error, because an abort without a reason would create an error with a stack trace each time.
const ENDED = new Error("the client disconnected, its key is no longer valid, or the server is closing");

/** The requests in flight, which can be ended early. */
export class ActiveRequests {
  readonly #requests = new Map<AbortController, OpenRequest>();

  add(controller: AbortController): void {
    this.#requests.set(controller, { deletedKeys: new Set() });
  }

  delete(controller: AbortController): void {
    clearTimeout(this.#requests.get(controller)?.expiry);
    this.#requests.delete(controller);
  }

  /**
   * Records the authenticated principal.
   * @param credential - what is checked again while the request is in flight.
   */
  admit(controller: AbortController, principal: Principal, credential?: string): void {
    const request = this.#requests.get(controller);
    if (request === undefined) return;
    request.principal = principal;
    // An access token is not checked again: it expires soon, and ends the request then.
    const isStoredKey = principal.keyId !== null && !isTokenSubject(principal.keyId);
    if (isStoredKey || isSessionCredential(credential)) request.credential = credential;
    const leftMs = (principal.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now();
    // The periodic recheck finds keys that expire later.
    if (leftMs <= MAX_TIMER_MS) request.expiry = setTimeout(() => this.end(controller), leftMs).unref();
    if (principal.keyId !== null && request.deletedKeys.has(principal.keyId)) this.end(controller);
  }

  end(controller: AbortController): void {
    controller.abort(ENDED);
  }

  endAll(): void {
    for (const controller of this.#requests.keys()) this.end(controller);
  }

  /** Returns the credentials of the requests in flight that are checked again. */
  credentials(): ReadonlySet<string> {
    return new Set([...this.#requests.values()].flatMap(({ credential }) => credential ?? []));
  }

  /** Ends the requests that were authenticated with this credential. */
  endOfCredential(credential: string): void {
    for (const [controller, request] of this.#requests) if (request.credential === credential) this.end(controller);
  }

  /** Ends the requests of a deleted key and of the tokens that were created with it. */
  endOf(keyId: string): void {
    for (const [controller, { principal, deletedKeys }] of this.#requests) {
      if (principal === undefined) deletedKeys.add(keyId);
      else if (principal.keyId === keyId) this.end(controller);
    }
  }
}

/** The periodic check that credentials are still valid, because another process may delete or change a key. */
export interface KeyRecheck {
  /** Interval in ms. */
  readonly everyMs: number;
  readonly authenticate: (credential: string) => Promise<unknown>;
}

/** Periodically ends the requests of keys that are no longer valid, until `closing` is aborted. */
export function recheckKeys(open: ActiveRequests, { everyMs, authenticate }: KeyRecheck, closing?: AbortSignal): void {
  const timer = setInterval(() => {
    for (const credential of open.credentials()) {
      authenticate(credential).then(
        (principal) => principal === undefined && open.endOfCredential(credential),
        // The store did not respond, so it is unknown whether the key is still valid. The next recheck decides.
        (error: unknown) =>
          YagateError.is(error) && error.code === "UNAUTHENTICATED" && open.endOfCredential(credential),
      );
    }
  }, everyMs);
  timer.unref();
  closing?.addEventListener("abort", () => clearInterval(timer));
}
