import { isJsonObject } from "@yagate/lib/json/json-object";
import { maskOf } from "@yagate/lib/redaction/mask-of";
import { type JsonObject, type JsonValue, YagateError } from "@yagate/protocol";
import type { CallTarget, Tool } from "../port.ts";
import type { NetworkTool } from "./network-tool.ts";
import { toWireRequest } from "./wire-request.ts";

/** Where the calls of a tool go, as their records show it. */
export function targetOf(tool: NetworkTool): NonNullable<Tool["targetOf"]> {
  return (parameters) => (isJsonObject(parameters) ? targetOfCall(tool, parameters) : NOWHERE);
}

const NOWHERE: CallTarget = { method: "", url: "" };

function targetOfCall(tool: NetworkTool, parameters: { readonly [name: string]: JsonValue }): CallTarget {
  try {
    const { method, url } = tool.template.render(parameters, maskOf);
    const names = new Set([tool.credentialOf(parameters) ?? [], ...tool.template.secretNames].flat());
    return { method, url, ...(names.size === 0 ? {} : { credential: [...names].join(", ") }) };
  } catch {
    // Whoever sends it says what is wrong with it.
    return NOWHERE;
  }
}

/** Why no request can be made of arguments that fit a tool's schema. */
export function argumentProblem(tool: NetworkTool): (parameters: JsonObject) => string | undefined {
  return (parameters) => {
    try {
      toWireRequest(tool.template.render(parameters, maskOf));
      return undefined;
    } catch (error) {
      if (YagateError.is(error) && error.code === "INVALID_ARGUMENTS") return error.message;
      throw error;
    }
  };
}
