import { YagateError } from "@yagate/protocol";
import type { Principal } from "../../secrets/principal.ts";

/** One request that is being answered. */
interface OpenRequest {
  /** Whose it is; undefined while that is being found out. */
  principal?: Principal;
  /** What lets it in, where that is a key that is stored, or a token that one made. */
  bearer?: string | undefined;
  /** Ends it with its key. */
  expiry?: NodeJS.Timeout;
  /** Keys that were deleted while it was being found out: what was found may be older. */
  readonly deletedKeys: Set<string>;
}

/** A longer wait ends at once. */
const MAX_TIMER_MS = 2_147_483_647;

// Made once: without a reason of its own, each abort would make an error with a stack.
const ENDED = new Error("the client has gone, its key opens nothing any more, or the server closes");

/** The requests that are being answered: each is told when it is to end early. */
export class ActiveRequests {
  readonly #requests = new Map<AbortController, OpenRequest>();

  add(controller: AbortController): void {
    this.#requests.set(controller, { deletedKeys: new Set() });
  }

  delete(controller: AbortController): void {
    clearTimeout(this.#requests.get(controller)?.expiry);
    this.#requests.delete(controller);
  }

  /** Says whose it is, and what let it in. */
  admit(controller: AbortController, principal: Principal, bearer?: string): void {
    const request = this.#requests.get(controller);
    if (request === undefined) return;
    request.principal = principal;
    if (principal.keyId !== null) request.bearer = bearer;
    const leftMs = (principal.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now();
    // One that ends later is found by those who ask again.
    if (leftMs <= MAX_TIMER_MS) request.expiry = setTimeout(() => this.end(controller), leftMs).unref();
    if (principal.keyId !== null && request.deletedKeys.has(principal.keyId)) this.end(controller);
  }

  end(controller: AbortController): void {
    controller.abort(ENDED);
  }

  endAll(): void {
    for (const controller of this.#requests.keys()) this.end(controller);
  }

  /** What lets requests in that are being answered. */
  bearers(): ReadonlySet<string> {
    return new Set([...this.#requests.values()].flatMap(({ bearer }) => bearer ?? []));
  }

  /** Ends those that this let in. */
  endLetInBy(bearer: string): void {
    for (const [controller, request] of this.#requests) if (request.bearer === bearer) this.end(controller);
  }

  /** Ends those of a key that was deleted, and of the tokens that it made. */
  endOf(keyId: string): void {
    for (const [controller, { principal, deletedKeys }] of this.#requests) {
      if (principal === undefined) deletedKeys.add(keyId);
      else if (principal.keyId === keyId) this.end(controller);
    }
  }
}

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
