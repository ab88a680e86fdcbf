import { MODEL_NAME_FORMS, parseModelName } from "./model-name.ts";
import type { ModelIssue, ModelTool } from "./port.ts";
import { PROVIDER_VARIABLES, type ProvidersSettings } from "./provider-settings.ts";
import { findToolNameCollisions } from "./tool-names.ts";

/** Finds what would go wrong with a model or its tools, without calling anybody. */
export function checkModel(
  model: string,
  tools: readonly ModelTool[],
  providers: ProvidersSettings,
): readonly ModelIssue[] {
  return [...checkModelName(model, providers), ...checkToolNames(tools)];
}

function checkModelName(model: string, providers: ProvidersSettings): readonly ModelIssue[] {
  const name = parseModelName(model);
  if (name === undefined) {
    return [{ severity: "error", path: "model", code: "unknown_model", message: MODEL_NAME_FORMS }];
  }
  if (name.provider === "scripted" || providers[name.provider] !== undefined) return [];
  const variable = PROVIDER_VARIABLES[name.provider].apiKey;
  const message = `${name.provider} has no API key here; set ${variable} before the agent is executed`;
  return [{ severity: "warning", path: "model", code: "NOT_CONFIGURED", message }];
}

function checkToolNames(tools: readonly ModelTool[]): readonly ModelIssue[] {
  return findToolNameCollisions(tools.map((tool) => tool.name)).map(({ index, name, other }) => ({
    severity: "error",
    path: `tools[${index}].name`,
    code: "tool_name_conflict",
    message:
      name === other
        ? `expected a name that no other tool of the agent has; ${name} is taken`
        : `expected a name that differs from ${other} by more than dots, which model providers do not accept`,
  }));
}
