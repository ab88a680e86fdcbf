import { type RestDefinition, YagateError } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { checkProjection } from "../checks/check-projection.ts";
import { checkResourceKey } from "../checks/check-resource-key.ts";
import { checkSideEffect } from "../checks/check-side-effect.ts";
import type { HandlerUrlCheck } from "../checks/handler-url-check.ts";
import type { FindSecret } from "../checks/secret-lookups.ts";
import { checkRestCredential } from "./check-rest-credential.ts";
import { checkRestNames } from "./check-rest-names.ts";
import { checkRestPlaces } from "./check-rest-places.ts";
import { checkRestUrl } from "./check-rest-url.ts";
import { checkRestValues } from "./check-rest-values.ts";
import { compileRestTool } from "./compile-rest-tool.ts";
import { isFixed, restParameters } from "./rest-parameters.ts";
import { restSideEffect } from "./rest-side-effect.ts";

/** What the check of a definition needs to know. */
export interface RestCheckContext {
  /** Returns why requests to a URL could never be allowed; undefined if they could be. */
  readonly urlProblem: HandlerUrlCheck;
  /** Finds a secret of the tool's workspace. */
  readonly findSecret: FindSecret;
}

/**
 * Checks the definition of a REST tool when the tool is saved, and reports all findings. The definition has already
 * been validated against its schema. A definition without errors can be compiled.
 *
 * @param path - the path of the definition, such as `tools[0].rest`.
 */
export async function checkRestTool(
  definition: RestDefinition,
  path: string,
  { urlProblem, findSecret }: RestCheckContext,
): Promise<readonly AgentFinding[]> {
  const findings = [
    ...(await checkRestUrl(definition, path, urlProblem)),
    ...checkRestNames(definition, path),
    ...checkRestPlaces(definition, path),
    ...(await checkRestValues(definition, path)),
    ...(await checkRestCredential(definition, path, findSecret)),
    ...checkCalls(definition, path),
  ];
  if (findings.some(({ severity }) => severity === "error")) return findings;
  return [...findings, ...checkFixedRequest(definition, path)];
}

function checkCalls(definition: RestDefinition, path: string): readonly AgentFinding[] {
  const { name, resourceKey, projection } = definition;
  const sideEffect = restSideEffect(definition) ?? undefined;
  const parameters = restParameters(definition);
  const findings = resourceKey === undefined ? [] : checkResourceKey({ resourceKey, parameters, sideEffect }, path);
  return [...checkSideEffect(name, sideEffect, path), ...findings, ...checkProjection(projection, path)];
}

/**
 * Checks that the fixed values result in a valid request. The model can't change them, so an invalid one would fail in
 * every call.
 *
 * @param definition - a definition without errors in the other checks.
 * @param path - the path of the definition, such as `tools[0].rest`.
 */
function checkFixedRequest(definition: RestDefinition, path: string): readonly AgentFinding[] {
  const parameters = definition.parameters.flatMap((parameter) => {
    if (isFixed(parameter)) return [parameter];
    return parameter.in === "path" ? [{ ...parameter, value: "x" }] : [];
  });
  try {
    compileRestTool({ ...definition, parameters }).render({}, () => "");
    return [];
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    const message = `expected fixed values that result in a valid request: ${error.message}`;
    return [{ severity: "error", path: `${path}.parameters`, code: "VALUE_NOT_WRITABLE", message }];
  }
}
