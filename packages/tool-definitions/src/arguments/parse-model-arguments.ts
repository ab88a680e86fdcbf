import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import { parse } from "secure-json-parse";
import type { InvalidArguments } from "./argument-validator.ts";

/** The parsed arguments, or the reason why they can't be parsed. */
export type ParsedArguments = { readonly valid: true; readonly value: unknown } | InvalidArguments;

/**
 * Parses the arguments of a tool call that a model wrote as text. Empty text means no arguments, because some models
 * write nothing for a tool without parameters. The result must still be validated against the tool's schema.
 *
 * @returns an `INVALID_ARGUMENTS` result for the model if the text is not JSON, is longer than 4 MiB or contains a
 *   `__proto__`.
 */
export function parseModelArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { valid: true, value: {} };
  if (text.length > VALUE_LIMITS.mostCharacters) {
    return unreadable("TOO_LARGE", `must have at most ${VALUE_LIMITS.mostCharacters} characters`);
  }
  try {
    return { valid: true, value: parse(text, { protoAction: "error", constructorAction: "error" }) };
  } catch (error) {
    return unreadable("NOT_JSON", `must be one JSON object${describePlace(error, text)}`);
  }
}

function unreadable(code: string, message: string): InvalidArguments {
  return { valid: false, message: `the arguments ${message}`, errors: [{ path: "", code, message }] };
}

/** Returns where the text stops being JSON. Unlike the engine's message, the result does not quote the text. */
function describePlace(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : "";
  if (message.includes("forbidden prototype property")) return ", without a __proto__ or constructor field";
  const position = /position (\d+)/.exec(message)?.[1];
  if (message.includes("end of JSON input") || position === String(text.length)) return ": the text ends too early";
  return position === undefined ? "" : `: invalid at character ${Number(position) + 1}`;
}
