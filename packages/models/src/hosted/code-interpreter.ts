import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";

/**
 * Returns the text from which OpenAI's models learn which code ran in an earlier turn. The AI SDK sends calls of the
 * code interpreter back only by reference, to responses that OpenAI stores; the gateway has it store none.
 */
export function toCodeText(input: JsonValue): string {
  const code = isJsonObject(input) ? input["code"] : undefined;
  return `[Code that ran in the code interpreter]\n${typeof code === "string" ? code : "(unknown)"}`;
}

/** Returns the text from which OpenAI's models learn what code printed in an earlier turn. */
export function toOutputText(output: JsonValue): string {
  const outputs = isJsonObject(output) ? output["outputs"] : undefined;
  const logs = (Array.isArray(outputs) ? outputs : []).flatMap((one) => {
    if (!isJsonObject(one)) return [];
    return typeof one["logs"] === "string" ? [one["logs"]] : ["(an image)"];
  });
  return `[Its output]\n${logs.length === 0 ? "(none)" : logs.join("\n")}`;
}
