import type { BuiltinTool, JsonSchemaObject } from "./builtin-tool.ts";

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaObject;
  readonly kind: BuiltinTool["kind"];
  /** What an operator would have to provide. */
  readonly missing: string;
}

const MAX_QUERY_CHARACTERS = 400;

const webSearch: Definition = {
  name: "web_search",
  description: "Searches the web and returns titles, addresses and excerpts of the best matches.",
  parameters: {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: MAX_QUERY_CHARACTERS,
        description: "What to search for, as one would type it into a search engine",
      },
      maxResults: { type: "integer", minimum: 1, maximum: 20, description: "Matches to return. Default: 5" },
    },
    required: ["query"],
    additionalProperties: false,
  },
  kind: "network",
  missing: "a search provider",
};

/** Built-in tools that agents may list before anybody has configured what they need; calls say what that is. */
export const UNCONFIGURED_TOOLS: readonly BuiltinTool[] = [webSearch].map(toTool);

function toTool({ missing, ...definition }: Definition): BuiltinTool {
  return {
    ...definition,
    sideEffect: "read_only",
    isConfigured: false,
    async execute() {
      return {
        error: {
          code: "NOT_CONFIGURED",
          message: `${definition.name} is not configured: this gateway has no ${missing.replace(/^an? /, "")}`,
          hint: `go on without ${definition.name}; an operator must configure ${missing} for it`,
          retryable: false,
        },
      };
    },
  };
}
