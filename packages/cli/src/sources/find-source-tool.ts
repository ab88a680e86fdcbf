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
