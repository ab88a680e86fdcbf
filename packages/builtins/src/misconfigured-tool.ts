import type { FieldError } from "@yagate/protocol";
import type { BuiltinTool } from "./builtin-tool.ts";

/** A tool in the place of one whose saved configuration does not fit this gateway any more: each call says so. */
export function misconfiguredTool(tool: BuiltinTool, problems: readonly FieldError[]): BuiltinTool {
  const { name } = tool;
  const places = problems.map(({ path, message }) => `${path === "" ? "config" : `config.${path}`}: ${message}`);
  return {
    ...tool,
    isConfigured: false,
    async execute() {
      return {
        error: {
          code: "NOT_CONFIGURED",
          message: `${name} can't run as this agent has configured it: ${places.join("; ")}`,
          hint: `go on without ${name}; the agent's author must save it with a configuration that fits this gateway`,
          retryable: false,
        },
      };
    },
  };
}
