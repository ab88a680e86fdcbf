import { builtinTools } from "@yagate/builtins/builtin-tools";
import type { ComposedToolDefinition, JsonObject } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import type { RenderedRequest, SecretOf } from "@yagate/tool-definitions/request/port";
import { RenderError } from "@yagate/tool-definitions/request/render-error";

export { composed, takes, typed } from "../../../../tool-definitions/test/support/definitions.ts";

import { composed, takes } from "../../../../tool-definitions/test/support/definitions.ts";
import { checkComposedTools } from "../../../src/tools/checks/check-composed-tools.ts";
import { compileComposedTool } from "../../../src/tools/composed/compile-composed-tool.ts";

export const argumentValidator = createArgumentValidator();
export const builtins = builtinTools();

/** A tool whose calls are requests. */
export function request(args: JsonObject, ...parameters: readonly string[]): ComposedToolDefinition {
  const complete = { method: "POST", url: "https://api.example.com/v1/items", ...args };
  return composed("send", "http_request", complete, takes(...parameters));
}

const SECRETS = new Map([
  ["API_KEY", { hosts: ["api.example.com"] }],
  ["WIDE", { hosts: ["*.example.com"] }],
  ["HOMELESS", { hosts: [] }],
]);

export function check(...tools: readonly ComposedToolDefinition[]): readonly AgentFinding[] {
  return checkComposedTools(
    tools.map((tool, index) => ({ tool, path: `tools[${index}]` })),
    {
      secrets: SECRETS,
      toolNames: new Set([...tools.map(({ name }) => name), "lookup_order"]),
      builtins,
      argumentValidator,
    },
  );
}

/** `severity` left out: `path: code` of each finding. */
export function summarised(findings: readonly AgentFinding[]): readonly string[] {
  return findings.map(({ path, code }) => `${path}: ${code}`);
}

export const shown: SecretOf = (name) => `***${name}***`;

/** The request of a call of the first tool; the tools must be sound. */
export function render(
  tools: ComposedToolDefinition | readonly ComposedToolDefinition[],
  parameters: JsonObject = {},
  secretOf: SecretOf = shown,
): RenderedRequest {
  const all = "name" in tools ? [tools] : tools;
  const errors = check(...all).filter(({ severity }) => severity === "error");
  const [tool] = all;
  if (errors.length > 0 || tool === undefined)
    throw new Error(`expected sound tools: ${summarised(errors).join(", ")}`);
  const compiled = compileComposedTool(tool, all, { builtins, argumentValidator });
  if (compiled.kind !== "network") throw new Error("expected a tool that makes requests");
  return compiled.template.render(parameters, secretOf);
}

/** Why no request can be made. */
export function refusalOf(...args: Parameters<typeof render>): string {
  try {
    render(...args);
  } catch (error) {
    if (error instanceof RenderError) return `${error.reason}: ${error.message}`;
    throw error;
  }
  throw new Error("expected a refusal");
}
