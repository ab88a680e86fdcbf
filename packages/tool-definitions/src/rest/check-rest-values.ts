import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { FORBIDDEN_KEYS } from "@yagate/lib/json/forbidden-keys";
import { parsePointer } from "@yagate/lib/json/json-pointer";
import { listShapeProblems } from "@yagate/lib/json/json-shape";
import type { JsonValue, RestDefinition, RestParameter } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { checkParametersSchema } from "../arguments/check-parameters-schema.ts";
import { type CheckValue, compileSchema } from "../arguments/compile-schema.ts";
import { toViolations } from "../arguments/violations.ts";
import { fieldPath } from "../field-path.ts";
import { MAX_REQUEST_BODY_BYTES } from "../request/request-limits.ts";
import { createAllowedCheck, parameterSchema } from "./rest-parameters.ts";

/** Limits of fixed values. Values larger than the maximum size of a request are rejected without further checks. */
const FIXED_LIMITS = { maxDepth: 32, maxCharacters: MAX_REQUEST_BODY_BYTES };

/**
 * Checks the schemas of a REST tool's parameters, including those that the model does not see, and that fixed and
 * allowed values match them.
 *
 * @param path - the path of the definition, such as `tools[0].rest`.
 */
export async function checkRestValues({ parameters }: RestDefinition, path: string): Promise<readonly AgentFinding[]> {
  const places = parameters
    .map((parameter, index) => ({ parameter, at: `${path}.parameters[${index}]` }))
    .filter(({ parameter }) => !FORBIDDEN_KEYS.has(parameter.name));
  const own: AgentFinding[] = [];
  for (const { parameter, at } of places) {
    own.push(...checkOwnKeywords(parameter, at), ...checkShape(parameter, at));
    if (hasValues(parameter)) await yieldToEventLoop();
  }
  if (own.some(({ severity }) => severity === "error")) return own;
  const properties = Object.fromEntries(places.map(({ parameter }) => [parameter.name, parameterSchema(parameter)]));
  const schema = { type: "object", properties };
  const issues = checkParametersSchema(schema).map(({ path: pointer, code, message }): AgentFinding => {
    return { severity: "error", path: placeOf(pointer, schema, places, path), code, message };
  });
  if (issues.length > 0) return [...own, ...issues];
  const check = parameters.some(hasValues) ? compileSchema(schema) : undefined;
  if (check === undefined) return own;
  const findings = [...own];
  for (const { parameter, at } of places) {
    findings.push(...(await checkValues(parameter, at, check)));
  }
  return findings;
}

/** Number of values that are checked without a pause for other events. A tool may have 100,000 values. */
const VALUES_AT_ONCE = 100;

function hasValues({ value, allowedValues }: RestParameter): boolean {
  return value !== undefined || allowedValues !== undefined;
}

function checkOwnKeywords({ type, schema = {} }: RestParameter, at: string): readonly AgentFinding[] {
  const findings = ["type", "description"]
    .filter((keyword) => Object.hasOwn(schema, keyword))
    .map((keyword): AgentFinding => {
      const message = `expected ${keyword} next to schema, not inside it`;
      return { severity: "error", path: `${at}.schema.${keyword}`, code: "CONFLICTING_KEYWORD", message };
    });
  if (type === "array" && !Object.hasOwn(schema, "items")) {
    const message = "some models reject an array without items: add items to its schema";
    findings.push({ severity: "warning", path: `${at}.schema`, code: "ITEMS_UNDESCRIBED", message });
  }
  return findings;
}

function checkShape({ value, allowedValues }: RestParameter, at: string): readonly AgentFinding[] {
  return Object.entries({ value, allowedValues }).flatMap(([field, content]) => {
    if (content === undefined) return [];
    return listShapeProblems(content, FIXED_LIMITS).map(({ path: pointer, code }): AgentFinding => {
      const message =
        "expected JSON within the size limits of a request, without members named __proto__ or constructor";
      return { severity: "error", path: fieldPath(`${at}.${field}`, content, pointer), code, message };
    });
  });
}

async function checkValues(parameter: RestParameter, at: string, check: CheckValue): Promise<readonly AgentFinding[]> {
  const { value, allowedValues = [], type } = parameter;
  const findings: AgentFinding[] = [];
  const mismatch = (field: string, candidate: JsonValue, below: string) => {
    const verdict = check({ [parameter.name]: candidate });
    if (verdict === "valid") return;
    const violations = verdict === "too much work" ? [] : toViolations(verdict);
    const first = violations.find(({ path }) => (parsePointer(path) ?? []).slice(1).join("/").startsWith(below));
    if (verdict !== "too much work" && first === undefined) return;
    const message =
      first === undefined
        ? "expected a value that can be checked within the step limit"
        : `expected a value that matches: it ${first.message}`;
    findings.push({ severity: "error", path: `${at}.${field}`, code: "VALUE_DOES_NOT_FIT", message });
  };
  if (value !== undefined) mismatch("value", value, "");
  for (const [index, allowed] of allowedValues.entries()) {
    if (index % VALUES_AT_ONCE === 0) await yieldToEventLoop();
    // In a list, each item must be allowed. The length of the list is checked elsewhere.
    if (type === "array") mismatch(`allowedValues[${index}]`, [allowed], "0");
    else mismatch(`allowedValues[${index}]`, allowed, "");
  }
  if (value !== undefined && !createAllowedCheck(parameter)(value)) {
    const message = "expected a value from allowedValues";
    findings.push({ severity: "error", path: `${at}.value`, code: "VALUE_NOT_ALLOWED", message });
  }
  return findings;
}

/** Converts a pointer into a parameter's built schema to a path in the definition. */
function placeOf(
  pointer: string,
  schema: { readonly properties: Readonly<Record<string, unknown>> },
  places: readonly { readonly parameter: RestParameter; readonly at: string }[],
  path: string,
): string {
  const [keyword, name = "", ...rest] = parsePointer(pointer) ?? [];
  const place = places.find(({ parameter }) => parameter.name === name);
  if (keyword !== "properties" || place === undefined) return `${path}.parameters`;
  if (rest[0] === "type" || rest[0] === "description") return `${place.at}.${rest[0]}`;
  const inside = pointer.split("/").slice(3).join("/");
  return fieldPath(`${place.at}.schema`, schema.properties[name], inside === "" ? "" : `/${inside}`);
}
