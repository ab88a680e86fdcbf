import { YagateError } from "@yagate/protocol";
import { type ApiKeyFunction, requireApiKey } from "../options.ts";

/**
 * The credential for requests: a fixed key, or a key returned by a function, which is called again after the gateway
 * rejects the key.
 */
export class Credential {
  readonly #ask: ApiKeyFunction | undefined;
  #current: string | undefined;
  #asked: Promise<string> | undefined;

  constructor(source: string | ApiKeyFunction) {
    if (typeof source === "string") this.#current = source;
    else this.#ask = source;
  }

  /**
   * Returns the key to send. Concurrent requests share one call to the function.
   *
   * @throws YagateError `INVALID_REQUEST` if the function returned no valid key; the function's own error if that is a
   *   YagateError; `CONNECTION_FAILED` if it threw any other error, because most such functions send a request; the
   *   signal's reason if the signal is aborted.
   */
  async get(signal: AbortSignal): Promise<string> {
    if (this.#current !== undefined) return this.#current;
    this.#asked ??= this.#renew().finally(() => {
      this.#asked = undefined;
    });
    return before(signal, this.#asked);
  }

  /** Records that the gateway rejected this key. Returns whether another key can be requested. */
  refuse(key: string): boolean {
    if (this.#ask === undefined) return false;
    // A concurrent request may already have replaced the key.
    if (this.#current === key) this.#current = undefined;
    return true;
  }

  async #renew(): Promise<string> {
    this.#current = requireApiKey(await this.#given(), "expected the function apiKey to return a string");
    return this.#current;
  }

  async #given(): Promise<unknown> {
    try {
      return await this.#ask?.();
    } catch (cause) {
      if (YagateError.is(cause)) throw cause;
      throw new YagateError("CONNECTION_FAILED", "the function apiKey threw an error", {
        hint: "the error is in cause; to prevent retries, throw a YagateError instead",
        cause,
      });
    }
  }
}

/** Settles like the promise, but rejects as soon as the signal is aborted. */
function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
