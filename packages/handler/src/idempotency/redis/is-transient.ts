import { messageOf } from "../../error-message.ts";

/** Errors of the server begin with a word in capitals. */
const ANSWER = /^[A-Z]{3,}( |$)/;
/** A server that starts, that is no longer or not yet the one in charge, or that is occupied. */
const PASSING_ANSWER = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|UNBLOCKED|NOREPLICAS) /;

/** Whether the same command may succeed in a moment. What does not come from the server is the way there. */
export function isTransient(error: unknown): boolean {
  const message = messageOf(error);
  return !ANSWER.test(message) || PASSING_ANSWER.test(message);
}
