import type { ExecutionResult, StreamEvent } from "@yagate/client";
import type { JsonObject } from "@yagate/lib/json/json-object";
import type { MadeCall } from "../calls/made-call.ts";

/** One finished run of a case: what the scorers judge. */
export interface CaseRun {
  readonly execution: ExecutionResult;
  readonly events: readonly StreamEvent[];
  readonly calls: readonly MadeCall[];
  /** The JSON Schemas of the parameters of the agent's tools, by name. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
}
