import { type ToolCall, YagateError } from "@yagate/protocol";
import type { Tool } from "../define-tool.ts";
import type { Logger } from "../logger.ts";
import { explainMismatch } from "./explain-mismatch.ts";
import { createSchemaDriftCheck } from "./schema-drift.ts";

export { warnOfDefaultStore } from "./memory-store-warning.ts";

/** What a handler tells its developer, in the log alone: an answer that said as much would help a forger. */
export interface DevelopmentAids {
  /** Makes a function that logs why a signature may not match, and throws the error again. */
  explainRefusal(
    signature: string | undefined,
    body: Uint8Array,
    secrets: readonly string[],
  ): (error: unknown) => Promise<never>;
  /** Warns when the saved schema of a tool is another one than here. The call need not wait; it never rejects. */
  checkSchemaDrift(tool: Tool, call: ToolCall): Promise<void>;
}

export function createDevelopmentAids(logger: Logger): DevelopmentAids | undefined {
  return {
    explainRefusal: (signature, body, secrets) => async (error) => {
      if (YagateError.is(error) && error.code === "SIGNATURE_MISMATCH" && signature !== undefined) {
        const likelyCause = await explainMismatch(signature, body, secrets);
        logger.warn("the signature does not match", { likelyCause });
      }
      throw error;
    },
    checkSchemaDrift: createSchemaDriftCheck(logger),
  };
}
