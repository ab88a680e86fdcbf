import type { ToolCall } from "@yagate/protocol";
import type { Tool } from "../define-tool.ts";
import type { Logger } from "../logger.ts";
import { explainMismatch } from "./explain-mismatch.ts";
import { createSchemaDriftCheck } from "./schema-drift.ts";

export { findUnfaithful } from "./faithful-json.ts";
export { warnOfDefaultStore } from "./memory-store-warning.ts";

/** Hints for developers. They go only to the log, because a response with them would help a forger. */
export interface DevelopmentAids {
  /** Explains in a sentence why a signature may not match. */
  readonly explainMismatch: typeof explainMismatch;
  /**
   * Warns when the saved schema of a tool differs from the tool's own. The call need not wait for it. It never rejects.
   */
  checkSchemaDrift(tool: Tool, call: ToolCall): Promise<void>;
}

export function createDevelopmentAids(logger: Logger): DevelopmentAids | undefined {
  return { explainMismatch, checkSchemaDrift: createSchemaDriftCheck(logger) };
}
