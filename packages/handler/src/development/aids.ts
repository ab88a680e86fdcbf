import type { ToolCall } from "@yagate/protocol";
import type { Tool } from "../define-tool.ts";
import type { Logger } from "../logger.ts";
import { explainMismatch } from "./explain-mismatch.ts";
import { createSchemaDriftCheck } from "./schema-drift.ts";

export { findUnfaithful } from "./faithful-json.ts";
export { warnOfDefaultStore } from "./memory-store-warning.ts";

/** What a handler tells its developer, in the log alone: an answer that said as much would help a forger. */
export interface DevelopmentAids {
  /** Why a signature may not match, in a sentence. */
  readonly explainMismatch: typeof explainMismatch;
  /** Warns when the saved schema of a tool is another one than here. The call need not wait; it never rejects. */
  checkSchemaDrift(tool: Tool, call: ToolCall): Promise<void>;
}

export function createDevelopmentAids(logger: Logger): DevelopmentAids | undefined {
  return { explainMismatch, checkSchemaDrift: createSchemaDriftCheck(logger) };
}
