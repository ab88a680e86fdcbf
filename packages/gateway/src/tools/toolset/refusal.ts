import { gatewayFailure } from "@yagate/calls/failure";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { ERROR_TABLE, type ErrorCode, type JsonValue, YagateError } from "@yagate/protocol";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { parseModelArguments } from "@yagate/tool-definitions/arguments/parse-model-arguments";
import type { Refusal, Tool } from "../port.ts";

/** A call as the model requested it. */
export interface RequestedCall {
  readonly name: string;
  readonly parameters: JsonValue;
  /** The message for the model, set if the arguments are not JSON. */
  readonly malformed?: string;
}

const MAX_NAMED_TOOLS = 40;
const MAX_NAME_CHARACTERS = 80;

/**
 * Returns why a call may not run: its tool does not exist, the policy denies it, or its arguments are invalid. Returns
 * undefined if the call may run.
 */
export function refusalOf(
  call: RequestedCall,
  tools: ReadonlyMap<string, Tool>,
  validator: ArgumentValidator,
): Refusal | undefined {
  const tool = tools.get(call.name);
  if (tool === undefined) return refuse("UNKNOWN_TOOL", unknownTool(call.name, [...tools.keys()]));
  const { decision, reason } = tool.policyDecision;
  if (decision === "denied")
    return { ...refuse("POLICY_DENIED", `${tool.name} may not run: ${reason}`), isDenied: true };
  if (call.malformed !== undefined) return refuse("INVALID_ARGUMENTS", explain(call.parameters) ?? call.malformed);
  try {
    const { parameters, schemaHash } = tool.accepted ?? tool;
    const check = validator.validate(schemaHash, parameters, call.parameters, tool.maxArgumentCharacters);
    if (!check.valid) return refuse("INVALID_ARGUMENTS", check.message);
    if (tool.artifactDenial !== undefined && tool.artifactReadBy?.(call.parameters) !== undefined) {
      return {
        ...refuse("POLICY_DENIED", `${tool.name} may not read artifacts: ${tool.artifactDenial}`),
        isDenied: true,
      };
    }
    const problem = isJsonObject(call.parameters) ? tool.problemOf?.(call.parameters) : undefined;
    return problem === undefined ? undefined : refuse("INVALID_ARGUMENTS", problem);
  } catch (error) {
    if (YagateError.is(error)) return refuse(error.code, error.message);
    // An error in a tool's own check ends this call, but never the execution.
    return refuse("INTERNAL", "the call failed inside the gateway: call the tool with different arguments");
  }
}

/**
 * Returns where the arguments stop being valid JSON, or which forbidden member they contain; undefined if they are
 * valid.
 */
function explain(text: JsonValue): string | undefined {
  const parsed = typeof text === "string" ? parseModelArguments(text) : undefined;
  return parsed?.valid === false ? parsed.message : undefined;
}

/** Describes a call of a tool that does not exist. */
export function unknownTool(name: string, existing: readonly string[]): string {
  const asked = JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS));
  if (existing.length === 0) return `there is no tool ${asked}; the agent has no tools`;
  const rest = existing.length - MAX_NAMED_TOOLS;
  const named = existing.slice(0, MAX_NAMED_TOOLS).join(", ");
  return `there is no tool ${asked}; the tools are ${named}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/**
 * Creates the failure for invalid arguments.
 * @param message - the message for the model.
 */
export function argumentRefusal(message: string): Refusal {
  return refuse("INVALID_ARGUMENTS", message);
}

/**
 * Creates the failure of a call whose arguments contain the value of a secret.
 * @param name - the name of the secret.
 */
export function leakInArguments(name: string): Failure {
  const message = `the arguments contain the value of ${name}; nothing was sent`;
  return gatewayFailure("CREDENTIAL_LEAK", message, { outcome: "none" });
}

/** Creates the refusal of a call that is invalid. */
export function refuse(code: ErrorCode, message: string): Refusal {
  const { isRetryable } = ERROR_TABLE[code];
  return { code, message, source: "gateway", isRetryable, outcome: "none", isDenied: false };
}
