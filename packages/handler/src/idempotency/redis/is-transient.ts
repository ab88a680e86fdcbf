import { messageOf } from "../../error-message.ts";

/** Matches errors from the server, which start with a word in capitals. */
const ANSWER = /^[A-Z]{3,}( |$)/;
/** Matches temporary errors: the server is starting, is not (or no longer) the primary, or is busy. */
const PASSING_ANSWER = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|UNBLOCKED|NOREPLICAS) /;

/** Checks whether the same command may succeed soon. Errors that the server did not send come from the connection. */
export function isTransient(error: unknown): boolean {
  const message = messageOf(error);
  return !ANSWER.test(message) || PASSING_ANSWER.test(message);
}
