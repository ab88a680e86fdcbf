import { toVisibleLine, YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { checkLive } from "./check-live.ts";

/** Prints nothing if the gateway of this machine responds. Otherwise prints why, with exit status 1. */
export async function live({ output, timeoutMs }: Invocation): Promise<void> {
  const check = "live";
  try {
    await checkLive(process.env, timeoutMs);
    if (output.isJson) output.document({ isFine: true, checks: [{ check, status: "ok", message: "responds" }] });
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    const { message, hint: advice } = error;
    if (output.isJson) output.document({ isFine: false, checks: [{ check, status: "failed", message, advice }] });
    else console.error(`✕ ${toVisibleLine(message)}\nTry: ${toVisibleLine(advice)}`);
    // Docker knows only 0 and 1.
    process.exitCode = EXIT.answerIsNo;
  }
}
