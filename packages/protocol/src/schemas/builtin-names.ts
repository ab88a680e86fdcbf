import * as z from "zod";

/** The built-in tools, by the names that an agent lists them under. */
export const BUILTIN_NAMES = [
  "web_search",
  "url_fetch",
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
