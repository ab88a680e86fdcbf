import type { HandlerToolInput } from "@yagate/client";

interface CrashTool {
  readonly name: string;
  readonly declared: Pick<HandlerToolInput, "sideEffect" | "retries">;
  /** Its first attempt is answered with an error that may be retried. */
  readonly failsFirst: boolean;
  /** By the rule for attempts whose outcome is unknown: its author said that repeats are safe. */
  readonly isRepeatable: boolean;
}

/** One tool for each way to be treated after a crash. */
export const TOOLS = [
  { name: "read", declared: { sideEffect: "read_only" }, failsFirst: false, isRepeatable: true },
  { name: "upsert", declared: { sideEffect: "idempotent_write" }, failsFirst: false, isRepeatable: true },
  { name: "pay", declared: { sideEffect: "non_idempotent_write" }, failsFirst: false, isRepeatable: false },
  { name: "undeclared", declared: { retries: 0 }, failsFirst: false, isRepeatable: false },
  { name: "undeclared_retried", declared: { retries: 2 }, failsFirst: false, isRepeatable: true },
  { name: "busy_read", declared: { sideEffect: "read_only", retries: 2 }, failsFirst: true, isRepeatable: true },
  {
    name: "busy_pay",
    declared: { sideEffect: "non_idempotent_write", retries: 2 },
    failsFirst: true,
    isRepeatable: false,
  },
] as const satisfies readonly CrashTool[];

export type ToolName = (typeof TOOLS)[number]["name"];

export function toolNamed(name: string): CrashTool {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`expected one of the tools of this test, not ${name}`);
  return tool;
}
