import type { CallbackTokens } from "../../secrets/callback-tokens.ts";
import type { CallbackTickets } from "../dispatcher-options.ts";

export interface CallbackTicketsOptions {
  readonly tokens: Pick<CallbackTokens, "create">;
  /** The URL that handlers reach this gateway by; waited for until `knownBy`, ms since the epoch. */
  readonly baseUrl: (knownBy: number) => Promise<string | undefined>;
}

/** Makes the tickets of this gateway's own callbacks. */
export function createCallbackTickets({ tokens, baseUrl }: CallbackTicketsOptions): CallbackTickets {
  return {
    async issue({ knownBy, ...subject }, times) {
      const base = await baseUrl(knownBy);
      if (base === undefined) return undefined;
      return { url: `${base}/v1/callbacks/${subject.toolCallId}`, token: await tokens.create(subject, times) };
    },
  };
}
