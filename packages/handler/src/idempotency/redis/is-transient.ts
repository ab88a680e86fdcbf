import { messageOf } from "../../error-message.ts";

/** Errors of the server start with a word in capitals. */
const ANSWER = /^[A-Z]{3,}( |$)/;
/** The server is starting, is not (or no longer) the primary, or is busy. */
const PASSING_ANSWER = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|UNBLOCKED|NOREPLICAS) /;

/** Whether the same command may soon succeed. Errors that do not come from the server come from the connection. */
export function isTransient(error: unknown): boolean {
  const message = messageOf(error);
  return !ANSWER.test(message) || PASSING_ANSWER.test(message);
}
