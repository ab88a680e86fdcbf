import * as z from "zod";

/** Names of the built-in tools, as agents list them. */
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

/** Names of the primitives: tools whose requests the model writes itself. Agents list them like built-in tools. */
export const PRIMITIVE_NAMES = ["api_call", "http_get", "http_post", "webhook"] as const;
export type PrimitiveName = (typeof PRIMITIVE_NAMES)[number];

/** Aliases under which agents can list built-in tools. */
export const BUILTIN_ALIASES = { summarizer: "text_summarizer" } as const satisfies Record<string, BuiltinName>;

const builtinNames = [...BUILTIN_NAMES, "summarizer", ...PRIMITIVE_NAMES] as const;
export const builtinNameSchema = z.enum(builtinNames);
