import { urlBlocked } from "./blocked.ts";
import type { EgressError } from "./egress-error.ts";

/** If the list is longer, the message gives only the number of remaining entries. */
const MOST_NAMED = 30;

/**
 * A destination that is not approved. The message names those that are, so that the reader can choose one.
 *
 * @param what - such as `host evil.test`; only characters of hosts and ports.
 * @param approved - such as `api.example.com` or `*.acme.com`.
 */
export function notApproved(what: string, approved: readonly string[]): EgressError {
  const named = approved.slice(0, MOST_NAMED).join(", ");
  const rest = approved.length > MOST_NAMED ? ` and ${approved.length - MOST_NAMED} more` : "";
  return urlBlocked(`blocked: ${what} is not approved; approved: ${named === "" ? "none" : named + rest}`);
}
