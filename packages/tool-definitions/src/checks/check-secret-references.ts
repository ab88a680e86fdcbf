import { isObject } from "@yagate/lib/json/json-object";
import {
  type Agent,
  type CompleteToolDefinition,
  isBuiltinTool,
  isComposedTool,
  isHandlerTool,
  isRestTool,
  type JsonValue,
} from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";

/**
 * The two forms of references to secrets. Each form is replaced only in certain fields. `$${` escapes the first form.
 */
const REFERENCE = /(?<!\$)\$\{\s*secrets\s*\.[^}]*\}|workspace-secret:\/\/[A-Z][A-Z0-9_]*/;

/** What happens to a string that contains an ineffective reference. */
type Fate = "the model reads it" | "it is sent unchanged" | "it is used unchanged";

/**
 * Warns about references to secrets in fields in which they are not replaced and would be read or sent literally.
 *
 * @param tools - all tools of the agent, in order.
 */
export function checkSecretReferences(
  { systemPrompt, webhookUrls }: Pick<Agent, "systemPrompt" | "webhookUrls">,
  tools: readonly CompleteToolDefinition[],
): readonly AgentFinding[] {
  return [
    ...referencesIn(systemPrompt, "systemPrompt", "the model reads it"),
    ...referencesIn(webhookUrls, "webhookUrls", "it is used unchanged"),
    ...tools.flatMap((tool, index) => referencesOfTool(tool, `tools[${index}]`)),
  ];
}

function referencesOfTool(tool: CompleteToolDefinition, path: string): readonly AgentFinding[] {
  if (isBuiltinTool(tool)) return referencesIn(tool.config ?? {}, `${path}.config`, "it is used unchanged");
  if (isRestTool(tool)) return referencesOfRest(tool.rest, `${path}.rest`);
  return [
    ...referencesIn(tool.description, `${path}.description`, "the model reads it"),
    ...referencesIn(tool.usageNotes ?? "", `${path}.usageNotes`, "the model reads it"),
    ...referencesIn(tool.parameters, `${path}.parameters`, "the model reads it"),
    ...(isHandlerTool(tool) ? referencesIn(tool.handler, `${path}.handler`, "it is sent unchanged") : []),
    // The other form is a placeholder in this field and has a separate check.
    ...(isHandlerTool(tool) ? providerReferencesIn(tool.headers ?? {}, `${path}.headers`) : []),
    ...(isComposedTool(tool) ? providerReferencesIn(tool.implementation.args, `${path}.implementation.args`) : []),
  ];
}

function referencesOfRest(
  {
    description,
    usageNotes = "",
    url,
    parameters,
    warnings = [],
  }: Extract<CompleteToolDefinition, { rest: unknown }>["rest"],
  path: string,
): readonly AgentFinding[] {
  return [
    ...referencesIn(description, `${path}.description`, "the model reads it"),
    ...referencesIn(usageNotes, `${path}.usageNotes`, "the model reads it"),
    ...referencesIn(
      warnings.map(({ message }) => ({ message })),
      `${path}.warnings`,
      "the model reads it",
    ),
    ...referencesIn(url, `${path}.url`, "it is sent unchanged"),
    ...parameters.flatMap(({ value, description: text = "", schema = {} }, index) => {
      const at = `${path}.parameters[${index}]`;
      if (value !== undefined) return referencesIn(value, `${at}.value`, "it is sent unchanged");
      return [
        ...referencesIn(text, `${at}.description`, "the model reads it"),
        ...referencesIn(schema, `${at}.schema`, "the model reads it"),
      ];
    }),
  ];
}

function providerReferencesIn(args: JsonValue, path: string): readonly AgentFinding[] {
  return textsIn(args, path)
    .filter(({ text }) => /workspace-secret:\/\/[A-Z]/.test(text))
    .map(({ path: at }) => finding(at, "workspace-secret://NAME", "it is sent unchanged"));
}

function referencesIn(value: JsonValue, path: string, fate: Fate): readonly AgentFinding[] {
  return textsIn(value, path).flatMap(({ text, path: at }) => {
    const [reference] = REFERENCE.exec(text) ?? [];
    if (reference === undefined) return [];
    return [finding(at, reference.startsWith("$") ? "${secrets.NAME}" : "workspace-secret://NAME", fate)];
  });
}

function finding(path: string, form: string, fate: Fate): AgentFinding {
  const message =
    `${form} has no effect here: it stays literal text, and ${fate}. To use a secret, make it the credential of a REST ` +
    "tool or of api_call, or write ${secrets.NAME} in the headers of a handler tool or in the args of a composed " +
    "tool whose target is http_request or webhook; workspace-secret://NAME is for model providers only";
  return { severity: "warning", path, code: "SECRET_REFERENCE_NOT_READ", message };
}

interface PlacedText {
  readonly text: string;
  readonly path: string;
}

function textsIn(value: JsonValue, path: string): readonly PlacedText[] {
  const found: PlacedText[] = [];
  const pending: [JsonValue, string][] = [[value, path]];
  for (const [next, at] of pending) {
    if (typeof next === "string") found.push({ text: next, path: at });
    else if (Array.isArray(next)) for (const [index, item] of next.entries()) pending.push([item, `${at}[${index}]`]);
    else if (isObject(next)) {
      for (const [name, member] of Object.entries(next))
        if (member !== undefined) pending.push([member, `${at}.${name}`]);
    }
  }
  return found;
}
