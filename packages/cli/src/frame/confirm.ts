import { createInterface } from "node:readline/promises";
import { YagateError } from "@yagate/protocol";
import type { Terminal } from "../signing-secrets/read-hidden.ts";

/**
 * Asks the user to confirm.
 *
 * @throws YagateError `CANCELLED` unless the user enters yes.
 */
export async function askToConfirm(question: string, { input, output }: Terminal): Promise<void> {
  const reader = createInterface({ input, output });
  try {
    const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
    const answer = await Promise.race([reader.question(`${question} [y/N] `), closed]);
    if (/^y(?:es)?$/i.test(answer.trim())) return;
  } finally {
    reader.close();
  }
  throw new YagateError("CANCELLED", "the action was not confirmed with yes", {
    hint: "Nothing was changed. --yes confirms in advance.",
  });
}
