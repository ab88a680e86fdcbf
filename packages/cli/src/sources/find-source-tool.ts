import { YagateError } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { nearestNames } from "../text/nearest-names.ts";

/** The names of a tool of a source. */
export interface NamedTool {
  /** The name that the source publishes. */
  readonly name: string;
  /** The name that models read. */
  readonly toolName: string;
}

/** Finds a tool by its published name, or else by the name that models read. */
export function findSourceTool<Tool extends NamedTool>(tools: readonly Tool[], text: string): Tool | undefined {
  return tools.find(({ name }) => name === text) ?? tools.find(({ toolName }) => toolName === text);
}

/**
 * Finds a tool that a source must have.
 *
 * @throws YagateError `NOT_FOUND`, with the most similar names.
 */
export function requireSourceTool<Tool extends NamedTool>(
  { name: source, tools }: { readonly name: string; readonly tools: readonly Tool[] },
  text: string,
): Tool {
  const found = findSourceTool(tools, text);
  if (found !== undefined) return found;
  const names = nearestNames(
    text,
    tools.map(({ name }) => name),
  );
  throw new YagateError("NOT_FOUND", `${source} has no tool ${text}`, {
    hint:
      names.length === 0 ? `${commandName()} sources show ${source}` : `the most similar names are ${names.join(", ")}`,
  });
}
