import { JsonPathError } from "@yagate/lib/artifacts/json-path/json-path-error";
import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import type { Projection } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";

/** Maximum number of paths with `..` in one tool. */
const MAX_DESCENDING = 10;

/**
 * Checks the paths of a tool's projection.
 *
 * @param path - the path of the tool, such as `tools[0]`.
 */
export function checkProjection(projection: Projection | undefined, path: string): readonly AgentFinding[] {
  const { keep = [], redact = [] } = projection ?? {};
  const places = [
    ...keep.map((place, index) => ({ place, at: `${path}.projection.keep[${index}]` })),
    ...redact.map((place, index) => ({ place, at: `${path}.projection.redact[${index}]` })),
  ];
  const findings = places.flatMap(({ place, at }) => problemOf(place, at));
  if (findings.length > 0 || places.filter(({ place }) => depths(place) > 0).length <= MAX_DESCENDING) return findings;
  const message = `expected at most ${MAX_DESCENDING} paths with ..: each of them searches the entire result`;
  return [{ severity: "error", path: `${path}.projection`, code: "TOO_MANY_PATHS", message }];
}

function problemOf(place: string, path: string): readonly AgentFinding[] {
  try {
    if (depths(place) <= 1) return [];
    return [{ severity: "error", path, code: "INVALID_PATH", message: "expected at most one .. in a path" }];
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return [{ severity: "error", path, code: "INVALID_PATH", message: error.message }];
  }
}

function depths(place: string): number {
  return parseJsonPath(place).segments.filter(({ isDescendant }) => isDescendant).length;
}
