import { isJsonObject, type JsonObject } from "../../json/json-object.ts";
import type { ReferenceTarget } from "../reading/schema-resources.ts";
import { type DynamicScope, type KeywordPath, notAllowedHere, report, type Visit } from "../visit.ts";

/** Checks whether a schema has a reference keyword. */
export function isReference({ $ref, $dynamicRef, $recursiveRef }: JsonObject): boolean {
  return [$ref, $dynamicRef, $recursiveRef].some((reference) => typeof reference === "string");
}

/** Follows the references in a schema, and returns whether the value matches their targets. */
export function checkReferences(visit: Visit): boolean {
  const { schema, resource } = visit;
  const { draft } = resource.dialect;
  let fits = true;
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  if (typeof $ref === "string") fits = follow(visit, targetOf(visit, $ref, "$ref"), ["$ref"]) && fits;
  if (draft === "2020-12" && typeof $dynamicRef === "string") {
    fits = follow(visit, dynamicTarget(visit, $dynamicRef), ["$dynamicRef"]) && fits;
  }
  if (draft === "2019-09" && typeof $recursiveRef === "string") {
    fits = follow(visit, recursiveTarget(visit, $recursiveRef), ["$recursiveRef"]) && fits;
  }
  return fits;
}

function targetOf({ run, schema, resource }: Visit, reference: string, keyword: string): ReferenceTarget {
  return run.resources.resolve(reference, resource, `${run.resources.pathOf(schema)}/${keyword}`);
}

function follow(visit: Visit, { schema, resource }: ReferenceTarget, path: KeywordPath): boolean {
  const { run, value, at, scope, ongoing, violations } = visit;
  if (!isJsonObject(schema)) return schema !== false || report(visit, path, { message: notAllowedHere });
  const inner = resource === scope.resource ? scope : { resource, outer: scope };
  const evaluated = run.check({ schema, value, at, scope: inner, ongoing, violations });
  if (evaluated === undefined) return false;
  visit.evaluated.add(evaluated);
  return true;
}

/**
 * Resolves a dynamic reference. It works like `$ref`, unless its target is a dynamic anchor: then the outermost anchor
 * with the same name on the evaluation path is used.
 */
function dynamicTarget(visit: Visit, reference: string): ReferenceTarget {
  const target = targetOf(visit, reference, "$dynamicRef");
  const anchor = isJsonObject(target.schema) ? target.schema["$dynamicAnchor"] : undefined;
  if (typeof anchor !== "string" || !reference.endsWith(`#${anchor}`)) return target;
  for (const { resource } of fromOutside(visit.scope)) {
    const schema = resource.dynamicAnchors.get(anchor);
    if (schema !== undefined) return { schema, resource };
  }
  return target;
}

function recursiveTarget(visit: Visit, reference: string): ReferenceTarget {
  const target = targetOf(visit, reference, "$recursiveRef");
  if (!isJsonObject(target.schema) || target.schema["$recursiveAnchor"] !== true) return target;
  for (const { resource } of fromOutside(visit.scope)) {
    const { root } = resource;
    if (isJsonObject(root) && root["$recursiveAnchor"] === true) return { schema: root, resource };
  }
  return target;
}

function fromOutside(scope: DynamicScope): readonly DynamicScope[] {
  const way: DynamicScope[] = [];
  for (let at: DynamicScope | undefined = scope; at !== undefined; at = at.outer) way.push(at);
  return way.reverse();
}
