import { z } from "zod";

/** Longest tool name, in characters. */
export const MAX_TOOL_NAME_LENGTH = 64;

/** Snake case in namespaces: `lookup_order`, `orders.get_by_id`; at most 64 characters. */
export const toolNameSchema = z
  .string()
  .max(MAX_TOOL_NAME_LENGTH)
  .regex(
    /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/,
    "expected snake_case, with dots between namespaces, such as lookup_order or orders.get_by_id",
  );

/** Name of a workspace's signing secret or of another named setting: 1 to 64 of `a-z 0-9 _ -`. */
export const resourceNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, "expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter");

/** The built-in tools, by the names that an agent lists them under. */
export const BUILTIN_NAMES = [
  "web_search",
  "calculator",
  "datetime",
  "json_validator",
  "text_summarizer",
  "read_artifact",
] as const;
export type BuiltinName = (typeof BUILTIN_NAMES)[number];

/** The tools whose requests the model composes; agents list them as they do built-in tools. */
export const PRIMITIVE_NAMES = ["api_call", "http_get", "http_post", "webhook"] as const;
export type PrimitiveName = (typeof PRIMITIVE_NAMES)[number];

/** Other names that are accepted for a built-in. */
export const BUILTIN_ALIASES = { summarizer: "text_summarizer" } as const satisfies Record<string, BuiltinName>;

const builtinNames = [...BUILTIN_NAMES, "summarizer", ...PRIMITIVE_NAMES] as const;
export const builtinNameSchema = z.enum(builtinNames);
