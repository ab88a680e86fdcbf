export { type CompleteOptions, completeToolCall } from "./callback/complete-tool-call.ts";
export type { LateOutcome } from "./callback/outcome-body.ts";
export type { ToolCallback } from "./callback/tool-callback.ts";
