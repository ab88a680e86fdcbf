import * as z from "zod";

/** The built-in tools, by the names that agents list. */
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

/** The primitives: tools whose requests the model writes. Agents list them like built-in tools. */
export const PRIMITIVE_NAMES = ["api_call", "http_get", "http_post", "webhook"] as const;
export type PrimitiveName = (typeof PRIMITIVE_NAMES)[number];

/** Aliases of built-in tools. */
export const BUILTIN_ALIASES = { summarizer: "text_summarizer" } as const satisfies Record<string, BuiltinName>;

const builtinNames = [...BUILTIN_NAMES, "summarizer", ...PRIMITIVE_NAMES] as const;
export const builtinNameSchema = z.enum(builtinNames);
