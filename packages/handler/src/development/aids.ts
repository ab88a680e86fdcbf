import type { ToolCall } from "@yagate/protocol/calls";
import type { Logger } from "../logger.ts";
import type { Tool } from "../tool.ts";
import { explainMismatch } from "./explain-mismatch.ts";
import { createSchemaDriftCheck } from "./schema-drift.ts";

export { findUnfaithful } from "./faithful-json.ts";
export { warnOfDefaultStore } from "./memory-store-warning.ts";

/** Aids for developers. What they find appears only in the log, because it would help a forger in a response. */
export interface DevelopmentAids {
  /** Explains in one sentence why a signature may not match. */
  readonly explainMismatch: typeof explainMismatch;
  /**
   * Warns if the schema that the gateway saved for a tool differs from the tool's own schema. The call does not wait
   * for this check, which never rejects.
   */
  checkSchemaDrift(tool: Tool, call: ToolCall): Promise<void>;
}

export function createDevelopmentAids(logger: Logger): DevelopmentAids | undefined {
  return { explainMismatch, checkSchemaDrift: createSchemaDriftCheck(logger) };
}
