import type { ArtifactReader } from "@yagate/lib/artifacts/port";
import { IsolationError } from "@yagate/lib/workers/isolation-error";
import { BUILTIN_ALIASES, BUILTIN_NAMES, type BuiltinName } from "@yagate/protocol";
import type { BuiltinTool } from "./builtin-tool.ts";
import { calculatorTool } from "./calculator/calculator-tool.ts";
import { datetimeTool } from "./datetime/datetime-tool.ts";
import { jsonValidatorTool } from "./json-validator/json-validator-tool.ts";
import { createReadArtifactTool } from "./read-artifact/read-artifact-tool.ts";
import type { ExtractiveSummarizer } from "./text-summarizer/extractive/extractive-summarizer.ts";
import { createTextSummarizerTool } from "./text-summarizer/text-summarizer-tool.ts";
import { unconfiguredUrlFetch } from "./url-fetch/unconfigured-url-fetch.ts";
import { createWebSearchTool } from "./web-search/web-search-tool.ts";

const ALIASES: ReadonlyMap<string, BuiltinName> = new Map(Object.entries(BUILTIN_ALIASES));

const OWN_TOOLS: readonly BuiltinTool[] = [
  calculatorTool,
  datetimeTool,
  jsonValidatorTool,
  createWebSearchTool(),
  unconfiguredUrlFetch,
];
const NO_ARTIFACTS: ArtifactReader = { find: async () => undefined };
const NO_EXTRACTOR: ExtractiveSummarizer = {
  summarize: () => Promise.reject(new IsolationError("busy", "no summarizer is available")),
  close: async () => {},
};

/** Options for {@link builtinTools}. */
export interface BuiltinToolsOptions {
  /** The store that `read_artifact` reads; default: an empty one. */
  readonly artifacts?: ArtifactReader;
  /**
   * The summarizer for `text_summarizer`; the code that created it must also close it. Default: one that rejects every
   * request as busy.
   */
  readonly extractor?: ExtractiveSummarizer;
  /** Tools that replace built-in tools of the same name, such as a `web_search` that has a provider. */
  readonly configured?: readonly BuiltinTool[];
}

/**
 * Returns the built-in tools by name, in a fixed order. Agents may list all of them, even those that are not
 * configured.
 */
export function builtinTools(options: BuiltinToolsOptions = {}): ReadonlyMap<string, BuiltinTool> {
  const { artifacts = NO_ARTIFACTS, extractor = NO_EXTRACTOR, configured = [] } = options;
  const reading = [createTextSummarizerTool({ artifacts, extractor }), createReadArtifactTool(artifacts)];
  const tools = [...OWN_TOOLS, ...reading, ...configured];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/**
 * Resolves the name or alias of a built-in tool.
 *
 * @returns `undefined` if there is no such tool.
 */
export function resolveBuiltinName(name: string): BuiltinName | undefined {
  const resolved = ALIASES.get(name) ?? name;
  return BUILTIN_NAMES.find((known) => known === resolved);
}
