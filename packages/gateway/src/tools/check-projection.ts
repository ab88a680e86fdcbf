import type { Projection } from "@yagate/protocol";
import { JsonPathError } from "../artifacts/json-path/json-path-error.ts";
import { parseJsonPath } from "../artifacts/json-path/parse-json-path.ts";
import type { AgentFinding } from "./agent-finding.ts";

/**
 * Checks that the places which a tool's projection names can be found.
 *
 * @param path - where the tool stands, as `tools[0]`.
 */
export function checkProjection(projection: Projection | undefined, path: string): readonly AgentFinding[] {
  const { keep = [], redact = [] } = projection ?? {};
  return [
    ...keep.flatMap((place, index) => problemOf(place, `${path}.projection.keep[${index}]`)),
    ...redact.flatMap((place, index) => problemOf(place, `${path}.projection.redact[${index}]`)),
  ];
}

function problemOf(place: string, path: string): readonly AgentFinding[] {
  try {
    parseJsonPath(place);
    return [];
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return [{ severity: "error", path, code: "invalid_path", message: error.message }];
  }
}
