import { urlBlocked } from "./blocked.ts";
import type { EgressError } from "./egress-error.ts";

/** Maximum number of destinations listed in the message. If there are more, the message states how many. */
const MOST_NAMED = 30;

/**
 * Creates the error for a destination that is not allowed. Its message lists the allowed destinations, so that the
 * reader can choose one.
 *
 * @param what - the destination, such as `host evil.test`; contains only characters that hosts and ports may contain.
 * @param approved - the allowed destinations, such as `api.example.com` or `*.acme.com`.
 */
export function notApproved(what: string, approved: readonly string[]): EgressError {
  const named = approved.slice(0, MOST_NAMED).join(", ");
  const rest = approved.length > MOST_NAMED ? ` and ${approved.length - MOST_NAMED} more` : "";
  return urlBlocked(`blocked: ${what} is not allowed; allowed: ${named === "" ? "none" : named + rest}`);
}
