import type { RestDefinition, RestParameter } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";

/**
 * Checks that each parameter can be sent in its part of the request.
 *
 * @param path - the path of the definition, such as `tools[0].rest`.
 */
export function checkRestPlaces(definition: RestDefinition, path: string): readonly AgentFinding[] {
  const { method, parameters, bodyFormat } = definition;
  const findings = parameters.flatMap((parameter, index) =>
    placeProblems(parameter, definition).map(
      (problem): AgentFinding => ({
        severity: "error",
        ...problem,
        path: `${path}.parameters[${index}].${problem.path}`,
      }),
    ),
  );
  const hasBody = parameters.some((parameter) => parameter.in === "body");
  if (hasBody && method === "DELETE") {
    const message = "servers may ignore the body of a DELETE: prefer parameters in the path or query";
    findings.push({ severity: "warning", path: `${path}.parameters`, code: "DELETE_WITH_BODY", message });
  }
  if (!hasBody && bodyFormat !== undefined) {
    const message = "bodyFormat has no effect without parameters in the body";
    findings.push({ severity: "warning", path: `${path}.bodyFormat`, code: "BODY_FORMAT_UNUSED", message });
  }
  return findings;
}

interface PlaceProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

function placeProblems(parameter: RestParameter, { method, bodyFormat }: RestDefinition): readonly PlaceProblem[] {
  const { type, arrayFormat, nullable, required } = parameter;
  const place = parameter.in;
  const problems: PlaceProblem[] = [];
  const add = (field: string, code: string, message: string) => problems.push({ path: field, code, message });
  if (place === "body" && method === "GET") {
    add("in", "BODY_NOT_ALLOWED", "expected no body parameters in a GET request: move them to the query");
  }
  if (place !== "body" && type === "object") {
    add("type", "UNSUPPORTED_TYPE", "expected objects only in the body: make each member a parameter");
  }
  if (place === "path" && type === "array") {
    add("type", "UNSUPPORTED_TYPE", "expected a string, number or boolean in the path");
  }
  if (place === "path" && required === false) {
    add("required", "PATH_PARAMETER_OPTIONAL", "expected path parameters to be required");
  }
  if (nullable === true && (place !== "body" || bodyFormat === "form")) {
    add(
      "nullable",
      "NULL_NOT_WRITABLE",
      "expected nullable only in a JSON body: other parts of a request can't contain null",
    );
  }
  const isList = type === "array" && (place === "query" || (place === "body" && bodyFormat === "form"));
  if (arrayFormat !== undefined && !isList) {
    add("arrayFormat", "ARRAY_FORMAT_UNUSED", "expected arrayFormat only for arrays in the query or in a form");
  }
  return problems;
}
