import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import { selectValues } from "@yagate/lib/artifacts/json-path/select-values";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import { defined } from "@yagate/lib/objects/defined";
import { strictestRisk } from "@yagate/lib/tools/strictest";
import {
  type IntentDefinition,
  type JsonObject,
  type JsonValue,
  type PolicyDecision,
  YagateError,
} from "@yagate/protocol";
import type { CapabilityEntry } from "@yagate/routing/capability-entry";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { createTemplateReader, scopeOf } from "@yagate/tool-definitions/placeholders/template-reader";
import { renderMembers } from "@yagate/tool-definitions/placeholders/value-template";
import { RenderError } from "@yagate/tool-definitions/request/render-error";
import { createTextBudget } from "@yagate/tool-definitions/request/request-limits";
import { type AuthorisingPolicy, asksAfterUntrusted, authorise } from "../../policy/authorise.ts";
import type { Tool, ToolExecutor, ToolOutcome } from "../port.ts";

/** What a tool that serves an intent is made of. */
export interface IntentToolParts {
  /** The name that models call. */
  readonly name: string;
  readonly intent: IntentDefinition;
  /** Hash of the parameters of the intent. */
  readonly schemaHash: string;
  readonly entry: CapabilityEntry;
  readonly version: string;
  readonly policy: AuthorisingPolicy;
  readonly argumentValidator: ArgumentValidator;
}

/**
 * Makes a tool serve an intent: under the name and with the parameters of the intent, which become the arguments of the
 * tool.
 */
export function toIntentTool(target: Tool, parts: IntentToolParts): Tool {
  const { name, intent, schemaHash, entry, version, policy, argumentValidator } = parts;
  const toArguments = argumentMapper(entry.args, intent.parameters, target.name);
  const { accepted, problemOf, readRiskOf, targetOf, artifactReadBy, executor, options, ...rest } = target;
  const { parameters: schema, schemaHash: hash } = accepted ?? target;
  const risk = strictestRisk([target.risk ?? undefined, entry.riskClass ?? undefined]) ?? null;
  /** Pure functions of the target get its arguments; they never throw. */
  const map =
    <Result>(of: (parameters: JsonObject) => Result, otherwise: Result) =>
    (parameters: JsonValue): Result => {
      try {
        return of(toArguments(isJsonObject(parameters) ? { ...parameters } : {}));
      } catch {
        return otherwise;
      }
    };
  const serveWith = (served: ToolExecutor): ToolExecutor => ({
    render: async (call) => served.render({ ...call, parameters: toArguments(call.parameters) }),
    async execute(call, context) {
      let parameters: JsonObject;
      try {
        parameters = toArguments(call.parameters);
      } catch (error) {
        if (error instanceof RenderError) return refused(error);
        throw error;
      }
      return selected(await served.execute({ ...call, parameters }, context), entry.result);
    },
    ...defined({ followTask: served.followTask }),
  });
  // These options name parameters of the target, or other tools of its agent.
  const { resourceKey: _resourceKey, dependsOn: _dependsOn, projection, ...kept } = options;
  return {
    ...rest,
    ...{ name, description: intent.description, parameters: intent.parameters, schemaHash, risk },
    capability: { key: entry.key, version },
    policyDecision: decisionOf(target, entry, policy),
    asksAfterUntrusted: target.asksAfterUntrusted === true || asksAfterUntrusted(policy, { risk }),
    options: { ...kept, ...(entry.result === null ? defined({ projection }) : {}) },
    problemOf(parameters) {
      try {
        const args = toArguments(parameters);
        const check = argumentValidator.validate(hash, schema, args, target.maxArgumentCharacters);
        return check.valid ? problemOf?.(args) : check.message;
      } catch (error) {
        if (error instanceof RenderError) return error.message;
        throw error;
      }
    },
    ...(readRiskOf === undefined ? {} : { readRiskOf: map(readRiskOf, undefined) }),
    ...(targetOf === undefined ? {} : { targetOf: map(targetOf, targetOf({})) }),
    ...(artifactReadBy === undefined ? {} : { artifactReadBy: map(artifactReadBy, undefined) }),
    executor: serveWith(executor),
    serveWith,
  };
}

function decisionOf(
  { policyDecision, kind, risk: declared }: Tool,
  { key, approval, riskClass }: CapabilityEntry,
  policy: AuthorisingPolicy,
): PolicyDecision {
  const risk = strictestRisk([declared ?? undefined, riskClass ?? undefined]) ?? null;
  if (policyDecision.decision !== "allowed") return policyDecision;
  if (approval === "always") {
    return { decision: "approval_required", reason: `the capability ${key} requires approval for each call` };
  }
  if (risk === declared) return policyDecision;
  return authorise(policy, { kind, risk, isOnByListing: true });
}

function argumentMapper(args: JsonObject | null, intent: JsonObject, name: string) {
  if (args === null) return (parameters: JsonObject) => parameters;
  const templates = createTemplateReader(scopeOf(intent)).members(args, "args");
  return (parameters: JsonObject): JsonObject => {
    const exceeded = () =>
      new RenderError("RENDERED_TOO_LARGE", `the arguments for ${name} must be shorter: shorten the arguments`);
    const budget = createTextBudget(VALUE_LIMITS.maxCharacters, exceeded);
    return renderMembers(templates, { parameters, secretOf: noSecret, budget });
  };
}

function noSecret(): never {
  throw new YagateError("INTERNAL", "expected a capability that was checked when it was saved");
}

function refused({ code, message }: RenderError): ToolOutcome {
  const failure = { code, message, source: "gateway", isRetryable: true, outcome: "none" } as const;
  return { answer: { failure }, cost: { usd: 0, credits: 0 } };
}

/** Replaces the result with the part that the capability selects. A path that can select several values gives a list. */
function selected(outcome: ToolOutcome, path: string | null): ToolOutcome {
  const { answer } = outcome;
  if (path === null || !("result" in answer)) return outcome;
  const parsed = parseJsonPath(path);
  const { values } = selectValues(parsed, answer.result);
  const isSingle = parsed.segments.every(
    ({ isDescendant, selectors: [only, ...others] }) =>
      !isDescendant && others.length === 0 && (only?.type === "name" || only?.type === "index"),
  );
  return { ...outcome, answer: { ...answer, result: isSingle ? (values[0] ?? null) : [...values] } };
}
