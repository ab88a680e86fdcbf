import { toRecord } from "../hosted/record.ts";

/** A tool call in the form of chat completions, complete or one chunk. */
export interface ChatCall {
  readonly index: number;
  readonly id: string | null;
  readonly type: "function";
  readonly function: { readonly name: string | null; readonly arguments: string };
  /** Contains the thought signature in Gemini's compatible API. */
  readonly extra_content?: unknown;
}

const EMPTY_ARGUMENTS = /^\s*$/;

/**
 * The name of a call that has none. No tool can have this name, so such a call is handled like any call to an unknown
 * tool.
 */
export const UNNAMED = "(unnamed)";

/**
 * Parses the calls in a message, in every form that compatible servers use: a list, a single object, the older
 * `function_call`, a call without `function` around its name, and arguments that are an object, `null` or missing.
 */
export function readCalls(
  said: Readonly<Record<string, unknown>>,
): readonly (ChatCall & { readonly hasIndex: boolean })[] {
  const given = said["tool_calls"];
  const calls = (Array.isArray(given) ? given : [given]).flatMap(readCall);
  return calls.length > 0 ? calls : [said["function_call"]].flatMap(readCall);
}

function readCall(value: unknown, position: number): readonly (ChatCall & { readonly hasIndex: boolean })[] {
  const call = toRecord(value);
  if (call === undefined) return [];
  const named = toRecord(call["function"]) ?? call;
  const { extra_content } = call;
  const index = toIndex(call["index"]);
  const id = toId(call["id"]);
  const name = toName(named["name"]);
  const text = toArguments(named["arguments"]);
  // Some servers send every field, even in a message without calls.
  if (id === null && name === null && EMPTY_ARGUMENTS.test(text)) return [];
  return [
    {
      index: index ?? position,
      hasIndex: index !== undefined,
      id,
      type: "function",
      function: { name, arguments: text },
      ...(toRecord(extra_content) === undefined ? {} : { extra_content }),
    },
  ];
}

function toIndex(value: unknown): number | undefined {
  const index = typeof value === "string" && /^\d{1,6}$/.test(value) ? Number(value) : value;
  return typeof index === "number" && Number.isInteger(index) && index >= 0 ? index : undefined;
}

function toId(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function toName(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function toArguments(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
