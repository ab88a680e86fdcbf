import { isLoopback } from "./requests/is-loopback.ts";

/** Where handlers reach this gateway. It is never taken from a request, which anybody may have written. */
export interface CallbackAddress {
  /** Whether there is such a place: the one that an operator named, or this machine, for a gateway that only it reaches. */
  readonly isReachable: boolean;
  /**
   * The URL that paths are appended to, without a slash at its end.
   *
   * @param knownBy - ms since the epoch: a gateway that takes up work before it listens on a port that the system picks
   * does not know its own before.
   */
  base(knownBy: number): Promise<string | undefined>;
  /** The gateway listens at this URL. */
  listening(url: string): void;
}

export interface CallbackAddressOptions {
  /** The address that is listened on. */
  readonly host: string;
  readonly publicUrl?: string | undefined;
  /** ms since the epoch. */
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
