import type { HandlerToolDefinition, RestDefinition, RestWarning } from "@yagate/protocol";

/** Returns what the model reads about a tool: its description and usage notes. */
export function modelDescription({
  description,
  usageNotes,
}: Pick<HandlerToolDefinition, "description" | "usageNotes">): string {
  return usageNotes === undefined || usageNotes.trim() === "" ? description : `${description}\n\n${usageNotes}`;
}

const WORDS = { critical: "Critical", warning: "Warning", info: "Note" } as const satisfies Record<
  RestWarning["severity"],
  string
>;
const ORDER: readonly RestWarning["severity"][] = ["critical", "warning", "info"];

/**
 * Returns what the model reads about a REST tool: its description, usage notes and warnings, the most severe first, one
 * per line.
 */
export function modelDescriptionOfRest({
  description,
  usageNotes,
  warnings = [],
}: Pick<RestDefinition, "description" | "usageNotes" | "warnings">): string {
  const lines = ORDER.flatMap((severity) =>
    warnings.filter((warning) => warning.severity === severity).map(({ message }) => `${WORDS[severity]}: ${message}`),
  );
  const notes = usageNotes === undefined || usageNotes.trim() === "" ? [] : [usageNotes];
  const blocks = lines.length === 0 ? notes : [...notes, lines.join("\n")];
  return modelDescription({ description, usageNotes: blocks.join("\n\n") });
}
