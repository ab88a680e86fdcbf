import type { RestDefinition } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { checkProjection } from "../checks/check-projection.ts";
import { checkResourceKey } from "../checks/check-resource-key.ts";
import { checkSideEffect } from "../checks/check-side-effect.ts";
import type { HandlerUrlCheck } from "../checks/handler-url-check.ts";
import type { FindSecret } from "../checks/secret-lookups.ts";
import { checkFixedRequest } from "./check-fixed-request.ts";
import { checkRestCredential } from "./check-rest-credential.ts";
import { checkRestNames } from "./check-rest-names.ts";
import { checkRestPlaces } from "./check-rest-places.ts";
import { checkRestUrl } from "./check-rest-url.ts";
import { checkRestValues } from "./check-rest-values.ts";
import { restParameters } from "./rest-parameters.ts";
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
