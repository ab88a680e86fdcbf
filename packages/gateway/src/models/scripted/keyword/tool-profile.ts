import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { asSchema, readProperties, type Schema } from "./property.ts";
import { contentStems, readWords, stem } from "./words.ts";

/** What a tool is known by. */
export interface ToolProfile {
  readonly name: string;
  readonly schema: Schema;
  /** Stems of the words of its name, in order. */
  readonly words: readonly string[];
  readonly parameterWords: ReadonlySet<string>;
  readonly descriptionWords: ReadonlySet<string>;
  readonly parameterNames: readonly string[];
}

interface KnownProfile {
  readonly profile: ToolProfile;
  readonly description: string;
}

// Names that are written as one word and asked for by its parts.
const COMPOUNDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    datetime: ["date", "time"].map(stem),
    websearch: ["web", "search"].map(stem),
  }),
);

// Schemas are the agent's own objects, the same in every turn.
const known = new WeakMap<object, KnownProfile>();

/** Reads what the tools of a turn are known by, once for each schema. */
export function readToolProfiles(tools: LanguageModelV4CallOptions["tools"]): readonly ToolProfile[] {
  return (tools ?? []).flatMap((tool) => (tool.type === "function" ? [profileOf(tool)] : []));
}

function profileOf(tool: LanguageModelV4FunctionTool): ToolProfile {
  const description = tool.description ?? "";
  const cached = known.get(tool.inputSchema);
  if (cached?.profile.name === tool.name && cached.description === description) return cached.profile;
  const schema = asSchema(tool.inputSchema);
  const words = readWords(tool.name).flatMap((word) => COMPOUNDS.get(word.text.toLowerCase()) ?? [word.stem]);
  const properties = readProperties(schema, { root: schema, words });
  const profile: ToolProfile = {
    name: tool.name,
    schema,
    words,
    parameterWords: new Set(properties.flatMap((property) => [...contentStems(property.name)])),
    descriptionWords: contentStems(description),
    parameterNames: properties.map((property) => property.name),
  };
  known.set(tool.inputSchema, { profile, description });
  return profile;
}
