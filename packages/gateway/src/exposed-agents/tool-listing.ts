import type { Tool } from "@yagate/mcp/server/port";
import type { ExposedAgent } from "@yagate/store/port";
import { EXECUTION_RESULT_TOOL } from "@yagate/store/tables/exposed-agents";

// All tools share these schemas: one per tool would cost each request its construction.
const AGENT_INPUT: Tool["inputSchema"] = {
  type: "object",
  properties: {
    input: {
      type: "string",
      minLength: 1,
      maxLength: 1_000_000,
      description: "The question or the task, with everything that the agent needs to know.",
    },
  },
  required: ["input"],
  additionalProperties: false,
};

/** The tool that waits for an execution that an earlier call started. */
export const EXECUTION_RESULT: Tool = {
  name: EXECUTION_RESULT_TOOL,
  title: "Execution result",
  description:
    "Waits for an execution that an earlier call started, then returns the execution's result. Call this tool if a result says that the execution is still running.",
  inputSchema: {
    type: "object",
    properties: { executionId: { type: "string", description: "The id in the earlier result, such as exec_…" } },
    required: ["executionId"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** Describes an agent as a tool. */
export function toTool({ toolName, title, description }: ExposedAgent): Tool {
  const text = description === "" ? `Gives a question or a task to the agent "${title}".` : description;
  return { name: toolName, title, description: text, inputSchema: AGENT_INPUT };
}
