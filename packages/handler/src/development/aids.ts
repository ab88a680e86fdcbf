import type { ToolCall } from "@yagate/protocol/calls";
import type { Tool } from "../define-tool.ts";
import type { Logger } from "../logger.ts";
import { explainMismatch } from "./explain-mismatch.ts";
import { createSchemaDriftCheck } from "./schema-drift.ts";

export { findUnfaithful } from "./faithful-json.ts";
export { warnOfDefaultStore } from "./memory-store-warning.ts";

/**
 * Aids for developers. Their findings appear only in the log, because a response that contained them would help a
 * forger.
 */
export interface DevelopmentAids {
  /** Explains in one sentence why a signature may not match. */
  readonly explainMismatch: typeof explainMismatch;
  /**
   * Warns if the schema that the gateway saved for a tool differs from the tool's own. The call does not have to wait
   * for this. Never rejects.
   */
  checkSchemaDrift(tool: Tool, call: ToolCall): Promise<void>;
}

export function createDevelopmentAids(logger: Logger): DevelopmentAids | undefined {
  return { explainMismatch, checkSchemaDrift: createSchemaDriftCheck(logger) };
}
