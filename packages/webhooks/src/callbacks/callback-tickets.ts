import type { CallbackTokens } from "@yagate/secrets/callback-tokens";
import type { CallbackTickets } from "../port.ts";

export interface CallbackTicketsOptions {
  readonly tokens: Pick<CallbackTokens, "create">;
  /**
   * Returns the URL at which handlers reach this gateway. If it is not known yet, waits until `knownBy`, in ms since
   * the epoch.
   */
  readonly baseUrl: (knownBy: number) => Promise<string | undefined>;
}

/** Creates the callback tickets that this gateway issues. */
export function createCallbackTickets({ tokens, baseUrl }: CallbackTicketsOptions): CallbackTickets {
  return {
    async issue({ knownBy, ...subject }, { moves = 0, ...times }) {
      const base = await baseUrl(knownBy);
      if (base === undefined) return undefined;
      return {
        url: `${base}/v1/callbacks/${subject.toolCallId}`,
        token: await tokens.create({ ...subject, moves }, times),
      };
    },
  };
}
