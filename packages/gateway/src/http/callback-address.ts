import { isLoopback } from "./requests/host-check.ts";

/**
 * The URL at which handlers reach this gateway for callbacks. It never comes from a request, because a client could
 * forge it.
 */
export interface CallbackAddress {
  /**
   * Whether handlers can reach the URL: the operator set a public URL, or the gateway listens on a loopback address.
   */
  readonly isReachable: boolean;
  /**
   * Returns the base URL without a trailing slash; undefined if it is still unknown at `knownBy`.
   *
   * @param knownBy - the time until which to wait, in ms since the epoch. A gateway that resumes executions before it
   *   listens on a port chosen by the operating system does not know its own URL yet.
   */
  base(knownBy: number): Promise<string | undefined>;
  /** Sets the URL at which the gateway listens. */
  listening(url: string): void;
}

export interface CallbackAddressOptions {
  /** The host on which the gateway listens. */
  readonly host: string;
  readonly publicUrl?: string | undefined;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
}

export function createCallbackAddress({ host, publicUrl, now }: CallbackAddressOptions): CallbackAddress {
  const isReachable = publicUrl !== undefined || isLoopback(host);
  const { promise: own, resolve } = Promise.withResolvers<string>();
  return {
    isReachable,
    async base(knownBy) {
      if (publicUrl !== undefined) return withoutSlash(publicUrl);
      if (!isReachable) return undefined;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((give) => {
        timer = setTimeout(() => give(undefined), Math.max(0, knownBy - now()));
      });
      return Promise.race([own, late]).finally(() => clearTimeout(timer));
    },
    listening: (url) => resolve(withoutSlash(url)),
  };
}

function withoutSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, "");
}
