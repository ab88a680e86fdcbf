import { isJsonObject } from "@yagate/lib/json/json-object";
import { type ToolCall, YagateError } from "@yagate/protocol/calls";
import { isTimestamp } from "./rfc3339.ts";

const ID_TAIL = "_[0-9A-Za-z_-]{1,120}$";
/** The pattern of a tool call's id. */
export const TOOL_CALL_ID = new RegExp(`^tc${ID_TAIL}`);
const AGENT_ID = new RegExp(`^agt${ID_TAIL}`);
const EXECUTION_ID = new RegExp(`^exec${ID_TAIL}`);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks a parsed body against the schema of a tool call.
 *
 * The check is written by hand because it runs for every call: `toolCallSchema` would take a sixth of the time of a
 * complete verification. A property test checks that both accept the same bodies.
 *
 * @throws {@link YagateError} `PAYLOAD_INVALID` with the name of the first invalid field, never its value.
 */
export function assertToolCall(value: unknown): asserts value is ToolCall {
  const fault = isJsonObject(value) ? findFault(value) : "the body: expected a JSON object";
  if (fault !== undefined) throw new YagateError("PAYLOAD_INVALID", fault);
}

function findFault(call: Fields): string | undefined {
  if (!isMatch(TOOL_CALL_ID, call["toolCallId"])) return "toolCallId: expected an id that starts with tc_";
  if (!isMatch(AGENT_ID, call["agentId"])) return "agentId: expected an id that starts with agt_";
  if (!isMatch(EXECUTION_ID, call["executionId"])) return "executionId: expected an id that starts with exec_";
  if (typeof call["name"] !== "string" || call["name"] === "") return "name: expected a tool's name";
  if (!isJsonObject(call["parameters"])) return "parameters: expected a JSON object";
  if (!isCount(call["attempt"])) return "attempt: expected a whole number of at least 1";
  if (!isTimestamp(call["timestamp"])) return "timestamp: expected an RFC 3339 time in UTC";
  if (!isTimestamp(call["deadline"])) return "deadline: expected an RFC 3339 time in UTC";
  return findOptionalFault(call);
}

function findOptionalFault(call: Fields): string | undefined {
  if (!isTextOrAbsent(call["schemaHash"])) return "schemaHash: expected a string";
  if (!isTextOrAbsent(call["audience"])) return "audience: expected a string";
  if (call["caller"] !== undefined && !isJsonObject(call["caller"])) return "caller: expected a JSON object";
  const callback = call["callback"];
  if (callback === undefined) return undefined;
  if (!isJsonObject(callback)) return "callback: expected a JSON object";
  if (typeof callback["url"] !== "string") return "callback.url: expected a string";
  if (typeof callback["token"] !== "string") return "callback.token: expected a string";
  if (!isTimestamp(callback["expiresAt"])) return "callback.expiresAt: expected an RFC 3339 time in UTC";
  return undefined;
}

function isMatch(pattern: RegExp, value: unknown): boolean {
  return typeof value === "string" && pattern.test(value);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
