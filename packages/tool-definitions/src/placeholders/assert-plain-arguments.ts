import { listShapeProblems } from "@yagate/lib/json/json-shape";
import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import type { JsonObject } from "@yagate/protocol";
import { RenderError } from "../request/render-error.ts";

/** @throws RenderError for what must not be copied into a request: names that reach a prototype, and what is too deep or large. */
export function assertPlainArguments(parameters: JsonObject): void {
  const [problem] = listShapeProblems(parameters, VALUE_LIMITS);
  if (problem === undefined) return;
  if (problem.code === "FORBIDDEN_KEY") {
    throw new RenderError("FORBIDDEN_KEY", "the arguments must have no __proto__, constructor or prototype as a name");
  }
  throw new RenderError("RENDERED_TOO_LARGE", "the arguments must be JSON, smaller and less deeply nested");
}
