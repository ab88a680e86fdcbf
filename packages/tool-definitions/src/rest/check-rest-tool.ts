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

/** What a definition is checked against. */
export interface RestCheckContext {
  /** Why requests to a URL could never be allowed. */
  readonly urlProblem: HandlerUrlCheck;
  /** Secrets of the workspace that the tool belongs to. */
  readonly findSecret: FindSecret;
}

/**
 * Checks the definition of a REST tool when it is saved, all of it at once. Its shape was checked before, by the
 * schema. A definition without errors can be compiled.
 *
 * @param path - where the definition stands, as `tools[0].rest`.
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
 * Checks that a request can be made of the fixed values: what the model can't change would go wrong in every call.
 *
 * @param definition - one without errors so far.
 * @param path - where the definition stands, as `tools[0].rest`.
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
    const message = `expected fixed values that a request can be made of: ${error.message}`;
    return [{ severity: "error", path: `${path}.parameters`, code: "VALUE_NOT_WRITABLE", message }];
  }
}
