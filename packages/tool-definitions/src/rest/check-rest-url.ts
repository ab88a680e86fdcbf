import type { RestDefinition } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import type { HandlerUrlCheck } from "../checks/handler-url-check.ts";
import { wireNameOf } from "./rest-parameters.ts";
import { parseRestUrl, type RestUrl } from "./rest-url.ts";

/**
 * Checks the URL of a REST tool: its destination, and that its placeholders match the path parameters.
 *
 * @param path - the path of the definition, such as `tools[0].rest`.
 */
export async function checkRestUrl(
  { url: text, parameters }: RestDefinition,
  path: string,
  urlProblem: HandlerUrlCheck,
): Promise<readonly AgentFinding[]> {
  const error = (at: string, code: string, message: string): AgentFinding => ({
    severity: "error",
    path: `${path}.${at}`,
    code,
    message,
  });
  const parsed = parseRestUrl(text);
  if (!("url" in parsed)) return parsed.problems.map(({ code, message }) => error("url", code, message));
  const { url } = parsed;
  const problem = await urlProblem(exampleOf(url));
  const findings = problem === undefined ? [] : [error("url", "URL_NOT_ALLOWED", problem)];
  const inPath = parameters.filter((parameter) => parameter.in === "path").map(wireNameOf);
  for (const name of new Set(url.placeholders)) {
    if (!inPath.includes(name)) {
      findings.push(error("url", "UNKNOWN_PLACEHOLDER", `expected a path parameter named ${name}`));
    }
  }
  for (const [index, parameter] of parameters.entries()) {
    const name = wireNameOf(parameter);
    const at = `parameters[${index}]`;
    if (parameter.in === "path" && !url.placeholders.includes(name)) {
      findings.push(error(at, "UNUSED_PARAMETER", `expected the url to contain {${name}}`));
    }
    if (parameter.in === "query" && url.queryNames.includes(name)) {
      findings.push(error(at, "DUPLICATE_WIRE_NAME", `expected ${name} once: the query of the url contains it too`));
    }
  }
  return findings;
}

/** Returns an example of the URL to which a call is sent. */
export function exampleOf({ origin, segments, search }: RestUrl): string {
  return `${origin}${segments.map((pieces) => pieces.map((one) => ("text" in one ? one.text : "x")).join("")).join("/")}${search}`;
}
