import { createInterface } from "node:readline/promises";
import { YagateError } from "@yagate/protocol";
import type { Terminal } from "../signing-secrets/read-hidden.ts";

/** Asks a yes-or-no question. Only y and yes count as yes; the end of the input counts as no. */
export async function askYesNo(question: string, { input, output }: Terminal): Promise<boolean> {
  const reader = createInterface({ input, output });
  try {
    const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
    const answer = await Promise.race([reader.question(`${question} [y/N] `), closed]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}

/**
 * Asks the user to confirm.
 *
 * @throws YagateError `CANCELLED` unless the user enters yes.
 */
export async function askToConfirm(question: string, terminal: Terminal): Promise<void> {
  if (await askYesNo(question, terminal)) return;
  throw new YagateError("CANCELLED", "the action was not confirmed with yes", {
    hint: "Nothing was changed. --yes confirms in advance.",
  });
}
