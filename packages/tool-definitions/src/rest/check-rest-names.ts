import { isForbiddenHeader } from "@yagate/egress/internal";
import { FORBIDDEN_KEYS } from "@yagate/lib/json/forbidden-keys";
import type { RestDefinition, RestParameter } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { isFixed, wireNameOf } from "./rest-parameters.ts";

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Matches a JSON media type, such as `application/merge-patch+json`. */
const JSON_TYPE = /^(?:application\/(?:[\w.+-]+\+)?json|text\/json)(?:\s*;.*)?$/i;
/** Headers that usually contain keys. */
const KEY_HEADERS: ReadonlySet<string> = new Set(["authorization", "cookie", "x-api-key", "api-key", "private-token"]);

/**
 * Checks the names of a REST tool's parameters. They must be unique for the model and unique in their part of the
 * request. A name must not modify a prototype, change the framing of the HTTP message, or be that of a header that
 * usually contains a key.
 *
 * @param path - the path of the definition, such as `tools[0].rest`.
 */
export function checkRestNames({ parameters, bodyFormat }: RestDefinition, path: string): readonly AgentFinding[] {
  const findings: AgentFinding[] = [];
  const names = new Set<string>();
  const wireNames = new Set<string>();
  for (const [index, parameter] of parameters.entries()) {
    const placeOf = (field: string) => `${path}.parameters[${index}].${field}`;
    const refuse = (field: string, code: string, message: string) =>
      findings.push({ severity: "error", path: placeOf(field), code, message });
    const wireName = wireNameOf(parameter);
    const wireField = parameter.wireName === undefined ? "name" : "wireName";
    if (names.has(parameter.name)) refuse("name", "DUPLICATE_NAME", `expected ${parameter.name} once`);
    names.add(parameter.name);
    const place = `${parameter.in} ${parameter.in === "header" ? wireName.toLowerCase() : wireName}`;
    if (wireNames.has(place)) {
      refuse(wireField, "DUPLICATE_WIRE_NAME", `expected ${wireName} once in the ${parameter.in}`);
    }
    wireNames.add(place);
    for (const field of ["name", "wireName"] as const) {
      if (!FORBIDDEN_KEYS.has(parameter[field] ?? "")) continue;
      refuse(field, "FORBIDDEN_NAME", "expected a name other than __proto__, constructor and prototype");
    }
    if (parameter.in !== "header") continue;
    const problem = headerProblem(parameter, wireName, bodyFormat);
    if (problem !== undefined) refuse(wireField, "FORBIDDEN_HEADER", problem);
    else if (KEY_HEADERS.has(wireName.toLowerCase())) {
      const message = `${wireName} usually contains a key: store the key as a secret of the workspace and set it as the credential`;
      findings.push({ severity: "warning", path: placeOf(wireField), code: "PLAIN_CREDENTIAL", message });
    }
  }
  return findings;
}

function headerProblem(
  parameter: RestParameter,
  wireName: string,
  bodyFormat: RestDefinition["bodyFormat"],
): string | undefined {
  const name = wireName.toLowerCase();
  if (!HEADER_NAME.test(name)) return "expected a header name: letters, digits and !#$%&'*+-.^_`|~";
  if (isForbiddenHeader(name) || name === "accept-encoding") {
    return `expected a header other than ${name}, which the gateway sets`;
  }
  if (name !== "content-type") return undefined;
  const { value } = parameter;
  const isJson = isFixed(parameter) && typeof value === "string" && JSON_TYPE.test(value) && bodyFormat !== "form";
  return isJson ? undefined : "expected a fixed JSON type, or no content-type header: bodyFormat then determines it";
}
