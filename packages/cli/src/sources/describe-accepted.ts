import type { Yagate } from "@yagate/client";
import { type ToolSource, toVisibleLine } from "@yagate/protocol";
import { cutToWidth } from "../text/display-width.ts";
import { flatDefinition } from "./definition-text.ts";
import { UNDECLARED } from "./describe-change.ts";

/** Maximum number of tools whose descriptions are read, with one request each. */
const MAX_DESCRIBED = 20;

/** Describes accepted tools, each with the first line of its description; on a terminal, the line fits its width. */
export async function describeAccepted(
  client: Yagate,
  sourceId: string,
  tools: NonNullable<ToolSource["tools"]>,
): Promise<readonly string[]> {
  const isDescribed = tools.length <= MAX_DESCRIBED;
  return Promise.all(
    tools.map(async ({ name, toolName, sideEffect }) => {
      const heading = toVisibleLine(`${toolName} · accepted · ${sideEffect ?? UNDECLARED}`);
      const description = isDescribed ? await descriptionOf(client, sourceId, name) : "";
      return description === "" ? heading : `${heading}\n  ${description}`;
    }),
  );
}

async function descriptionOf(client: Yagate, sourceId: string, name: string): Promise<string> {
  const { acceptedDefinition } = await client.sources.tool(sourceId, name);
  const { description } = flatDefinition(acceptedDefinition ?? {});
  const [first = ""] = typeof description === "string" ? description.split("\n") : [];
  const line = toVisibleLine(first);
  return process.stdout.isTTY ? cutToWidth(line, (process.stdout.columns ?? 80) - 2) : line;
}
