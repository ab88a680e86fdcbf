import { missingProvider } from "./missing-provider.ts";
import { MODEL_NAME_FORMS, parseModelName } from "./model-name.ts";
import type { ModelIssue, ModelTool } from "./port.ts";
import { isKnownProvider } from "./provider-names.ts";
import type { ProvidersSettings } from "./provider-settings.ts";
import { findToolNameCollisions } from "./tool-names.ts";

/** Finds what would go wrong with a model or its tools, without calling anybody. */
export function checkModel(
  model: string,
  tools: readonly ModelTool[],
  providers: ProvidersSettings,
  ofWorkspace: ReadonlySet<string> = NONE,
): readonly ModelIssue[] {
  return [...checkModelName(model, providers, ofWorkspace), ...checkToolNames(tools)];
}

const NONE: ReadonlySet<string> = new Set();

function checkModelName(
  model: string,
  providers: ProvidersSettings,
  ofWorkspace: ReadonlySet<string>,
): readonly ModelIssue[] {
  const name = parseModelName(model);
  if (name === undefined) {
    return [{ severity: "error", path: "model", code: "unknown_model", message: MODEL_NAME_FORMS }];
  }
  const { provider } = name;
  if (provider === "scripted" || ofWorkspace.has(provider)) return [];
  const settings = providers[provider];
  if (settings !== undefined && (settings.apiKey !== undefined || !isKnownProvider(provider))) return [];
  const message = missingProvider(provider);
  return isKnownProvider(provider)
    ? [{ severity: "warning", path: "model", code: "NOT_CONFIGURED", message }]
    : [{ severity: "error", path: "model", code: "unknown_model", message }];
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
