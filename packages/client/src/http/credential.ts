import { YagateError } from "@yagate/protocol";
import { type ApiKeyFunction, requireApiKey } from "../options.ts";

/** What requests are sent with: one key for ever, or what a function gives until the gateway refuses it. */
export class Credential {
  readonly #ask: ApiKeyFunction | undefined;
  #current: string | undefined;
  #asked: Promise<string> | undefined;

  constructor(source: string | ApiKeyFunction) {
    if (typeof source === "string") this.#current = source;
    else this.#ask = source;
  }

  /**
   * The key to send. The function is asked once, however many requests wait for its answer.
   *
   * @throws YagateError what the function threw, if that is one; `CONNECTION_FAILED` if it threw something else, since
   * most such functions ask a server; `INVALID_REQUEST` if it gave no key. The signal's reason.
   */
  async get(signal: AbortSignal): Promise<string> {
    if (this.#current !== undefined) return this.#current;
    this.#asked ??= this.#renew().finally(() => {
      this.#asked = undefined;
    });
    return before(signal, this.#asked);
  }

  /** The gateway refused this key: whether asking for another one may help. */
  refuse(key: string): boolean {
    if (this.#ask === undefined) return false;
    // Another request may have been faster, and have a new one already.
    if (this.#current === key) this.#current = undefined;
    return true;
  }

  async #renew(): Promise<string> {
    this.#current = requireApiKey(await this.#given(), "expected the function apiKey to give a text");
    return this.#current;
  }

  async #given(): Promise<unknown> {
    try {
      return await this.#ask?.();
    } catch (cause) {
      if (YagateError.is(cause)) throw cause;
      throw new YagateError("CONNECTION_FAILED", "the function apiKey gave no key", {
        hint: "what it threw is the cause; a YagateError from it is passed on and not tried again",
        cause,
      });
    }
  }
}

/** A promise, unless the signal is faster. */
function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
