import type { FieldError } from "@yagate/protocol";
import type { BuiltinTool } from "./builtin-tool.ts";

/**
 * Creates a tool that replaces one whose stored configuration this gateway no longer supports. Each call returns an
 * error that lists the problems.
 */
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
          message: `${name} can't run with this agent's configuration: ${places.join("; ")}`,
          hint: `continue without ${name}; the agent's author must save it with a configuration that this gateway supports`,
          retryable: false,
        },
      };
    },
  };
}
