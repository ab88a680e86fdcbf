import type { Principal } from "../secrets/principal.ts";

/** One request that is being answered. */
interface OpenRequest {
  /** Whose it is; undefined while that is being found out. */
  principal?: Principal;
  /** Keys that were deleted while it was being found out: what was found may be older. */
  readonly deletedKeys: Set<string>;
}

// Made once: without a reason of its own, each abort would make an error with a stack.
const ENDED = new Error("the client has gone, its key was deleted, or the server closes");

/** The requests that are being answered: each is told when it is to end early. */
export class OpenRequests {
  readonly #requests = new Map<AbortController, OpenRequest>();

  add(controller: AbortController): void {
    this.#requests.set(controller, { deletedKeys: new Set() });
  }

  delete(controller: AbortController): void {
    this.#requests.delete(controller);
  }

  /** Says whose it is. */
  admit(controller: AbortController, principal: Principal): void {
    const request = this.#requests.get(controller);
    if (request === undefined) return;
    request.principal = principal;
    if (principal.keyId !== null && request.deletedKeys.has(principal.keyId)) this.end(controller);
  }

  end(controller: AbortController): void {
    controller.abort(ENDED);
  }

  endAll(): void {
    for (const controller of this.#requests.keys()) this.end(controller);
  }

  /** The keys that requests are answered for, each with its workspace. */
  keys(): ReadonlyMap<string, string> {
    const principals = [...this.#requests.values()].flatMap(({ principal }) => principal ?? []);
    return new Map(principals.flatMap(({ keyId, workspaceId }) => (keyId === null ? [] : [[keyId, workspaceId]])));
  }

  /** Ends those of a key that was deleted, and of the tokens that it made. */
  endOf(keyId: string): void {
    for (const [controller, { principal, deletedKeys }] of this.#requests) {
      if (principal === undefined) deletedKeys.add(keyId);
      else if (principal.keyId === keyId) this.end(controller);
    }
  }
}
