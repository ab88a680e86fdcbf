import type { ApiError, Yagate } from "@yagate/client";
import { type FieldError, type ToolSource, toVisibleLine, type WorkspaceTool } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { sourceNameOf } from "../sources/derive-name.ts";
import { shellWord } from "../text/shell-word.ts";
import { table } from "../text/table.ts";

const TOOL_PATH = "tools.";

/** A tool that has the name of one that was to be imported. */
interface ExistingTool {
  readonly name: string;
  readonly toolId: string;
  readonly toolkitId: string | null;
  readonly isSame: boolean;
  readonly message: string;
  /** The name of the tool source that the tool follows; null if it follows none. */
  readonly source: string | null;
}

/** Whether an import failed because tools with these names exist, with an error that lists the differences. */
export function isImportConflict(error: ApiError): boolean {
  return error.code === "CONFLICT" && error.fieldErrors.some(({ path }) => path.startsWith(TOOL_PATH));
}

/**
 * Prints how the existing tools differ from the operations of a document, and the commands that make the tools follow
 * it. The exit status is 1.
 *
 * @param file - the path of the document, as the user wrote it.
 */
export async function printImportDifference(
  invocation: Invocation,
  { fieldErrors }: ApiError,
  file: string,
): Promise<void> {
  const client = await invocation.client();
  const sources = await documentSources(client);
  const tools = await existingTools(client, fieldErrors, sources);
  const title = await titleOf(client, tools);
  const source =
    sources.find(({ name }) => tools.some((tool) => tool.source === name)) ?? sourceOf(sources, tools, title);
  const commands = commandsFor(tools, source ?? { name: sourceNameOf(title) ?? "api", url: null }, file);
  const rows = tools.map(({ name, message, source: followed }) => [name, followed ?? "-", message]);
  invocation.output.result({ type: "import_difference", tools, source: source?.name ?? null, commands }, () =>
    table([["TOOL", "FOLLOWS", "DIFFERENCE"], ...rows]),
  );
  const heading = "Nothing was imported. To make these tools follow the document:";
  invocation.output.note([heading, ...commands].map(toVisibleLine).join("\n  "));
  process.exitCode = EXIT.answerIsNo;
}

/** Reads the sources that are OpenAPI documents, with their tools. */
async function documentSources(client: Yagate): Promise<readonly ToolSource[]> {
  const found: ToolSource[] = [];
  for await (const { id, kind } of client.sources.list({ limit: 200 })) {
    if (kind === "openapi") found.push(await client.sources.get(id));
  }
  return found;
}

async function existingTools(
  client: Yagate,
  errors: readonly FieldError[],
  sources: readonly ToolSource[],
): Promise<readonly ExistingTool[]> {
  const byName = new Map<string, WorkspaceTool>();
  for await (const tool of client.tools.list({ limit: 200 })) byName.set(tool.name, tool);
  const followed = new Map(
    sources.flatMap(({ name, tools = [] }) => tools.map(({ toolId }) => [toolId, name] as const)),
  );
  return errors.flatMap(({ path, code, message }) => {
    const tool = byName.get(path.slice(TOOL_PATH.length));
    if (tool === undefined) return [];
    const { id: toolId, name, toolkitId } = tool;
    const isSame = code === "SAME_DEFINITION";
    return [{ name, toolId, toolkitId, isSame, message, source: followed.get(toolId) ?? null }];
  });
}

/** Returns the title of the document from which the tools were imported; empty if they belong to no toolkit. */
async function titleOf(client: Yagate, tools: readonly ExistingTool[]): Promise<string> {
  const toolkitId = tools.find((tool) => tool.toolkitId !== null)?.toolkitId ?? null;
  return toolkitId === null ? "" : (await client.toolkits.get(toolkitId)).provider;
}

/**
 * Returns the source of the same document: it has the title of this one, and operations with the names of the tools.
 */
function sourceOf(
  sources: readonly ToolSource[],
  tools: readonly ExistingTool[],
  title: string,
): ToolSource | undefined {
  const names = new Set(tools.map(({ name }) => name));
  return sources.find(
    ({ document, tools: operations = [] }) =>
      document?.title === title && operations.some(({ name }) => names.has(name)),
  );
}

function commandsFor(
  tools: readonly ExistingTool[],
  source: Pick<ToolSource, "name" | "url">,
  file: string,
): readonly string[] {
  const command = `${commandName()} sources`;
  const name = shellWord(source.name);
  const reads =
    source.url === null ? `${command} add ${shellWord(file)} --kind openapi --name ${name}` : `${command} sync ${name}`;
  const free = tools.filter((tool) => tool.source === null);
  const toolkits = [...new Set(free.flatMap(({ toolkitId }) => toolkitId ?? []))];
  const single = free.filter(({ toolkitId }) => toolkitId === null).map((tool) => shellWord(tool.name));
  return [
    reads,
    ...toolkits.map((toolkit) => `${command} adopt ${name} --toolkit ${toolkit}`),
    ...(single.length === 0 ? [] : [`${command} adopt ${name} ${single.join(" ")}`]),
    `${command} diff ${name}`,
    `${command} accept ${name} --all`,
  ];
}
