import type { ComposedToolDefinition } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { demotePreexisting } from "../../src/checks/preexisting-problems.ts";
import { composed, typed } from "../support/definitions.ts";

const agentOf = (...tools: ComposedToolDefinition[]) => ({ tools, integrations: [], credentials: [] });
const mismatch = { severity: "error", path: "tools[0].a", code: "PARAMETER_TYPE_MISMATCH", message: "" } as const;

const sum = composed("sum", "calculator", { expression: "${net}" }, typed({ net: { type: "number" } }));
const other = { ...sum, description: "does something else" };
const over = composed("over", "sum", { net: "${text}" }, typed({ text: { type: "string" } }));

describe("a type that does not fit, in a tool of an agent that is changed", () => {
  it.each<[string, ReturnType<typeof agentOf>, ReturnType<typeof agentOf>, "error" | "warning"]>([
    ["is a warning where the tool was saved as it is", agentOf(sum), agentOf(sum), "warning"],
    ["is an error where the tool is changed", agentOf(sum), agentOf(other), "error"],
    ["is an error where the tool is new", agentOf(sum), agentOf(), "error"],
    ["is a warning where the tool that it hands on to is as it was", agentOf(over, sum), agentOf(over, sum), "warning"],
    ["is an error where the tool that it hands on to is changed", agentOf(over, sum), agentOf(over, other), "error"],
  ])("%s", (_what, agent, before, severity) => {
    expect(demotePreexisting([mismatch], agent, before)).toEqual([{ ...mismatch, severity }]);
  });
});
