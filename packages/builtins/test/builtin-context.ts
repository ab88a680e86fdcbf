import type { BuiltinContext } from "../src/builtin-tool.ts";

/** What a built-in tool is run with, at the beginning of 1970 unless a test says otherwise. */
export function builtinContext(parts: Partial<BuiltinContext> = {}): BuiltinContext {
  return {
    now: () => 0,
    signal: new AbortController().signal,
    deadline: 10_000,
    workspaceId: "ws_1",
    executionId: "exec_1",
    toolCallId: "tc_1",
    ...parts,
  };
}
