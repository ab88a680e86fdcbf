import { type RoutePreview, toVisibleLine } from "@yagate/protocol";

/** Describes the effective routing of an execution in one line: what its request asks for and its key and agent allow. */
export function describeRouting({ routing }: Pick<RoutePreview, "routing">): string {
  const { scopes = [], dataClass, region, maxCostClass, requireCitations, intents } = routing;
  return [
    `scopes ${listOf(scopes)}`,
    `data class ${dataClass ?? "confidential (default)"}`,
    `region ${region === undefined ? "any" : toVisibleLine(region)}`,
    `cost ceiling ${maxCostClass ?? "none"}`,
    ...(requireCitations === true ? ["citations required"] : []),
    ...(intents === undefined ? [] : [`intents ${listOf(intents)}`]),
  ].join("; ");
}

/** Returns the code for which a capability cannot serve an execution, with what stands against it. */
export function describeRefusal(
  key: string,
  code: string,
  { routing, model, missingScopes = {} }: Pick<RoutePreview, "routing" | "model" | "missingScopes">,
): string {
  const why = whyRefused(code, routing, model);
  if (code === "SCOPES" && missingScopes[key] !== undefined) return `SCOPES: lacks ${listOf(missingScopes[key])}`;
  return why === undefined ? code : `${code}: ${why}`;
}

function whyRefused(code: string, routing: RoutePreview["routing"], model: string): string | undefined {
  switch (code) {
    case "PROVIDER":
    case "MODEL":
      return `not for ${toVisibleLine(model)}`;
    case "REGION":
      return `not in ${toVisibleLine(routing.region ?? "this region")}`;
    case "DATA_CLASS":
      return `not for ${routing.dataClass ?? "confidential"} data`;
    case "COST":
      return `above the cost ceiling ${routing.maxCostClass ?? ""}`.trimEnd();
    case "CITATIONS":
      return "no citations";
    case "DISABLED":
      return "switched off";
    case "POLICY":
      return "denied by the policy of the agent";
    case "CIRCUIT_OPEN":
      return "its endpoint is out";
    default:
      return undefined;
  }
}

function listOf(words: readonly string[]): string {
  return words.length === 0 ? "none" : words.map(toVisibleLine).join(", ");
}
