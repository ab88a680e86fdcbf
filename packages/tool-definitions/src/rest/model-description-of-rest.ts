import type { RestDefinition, RestWarning } from "@yagate/protocol";
import { modelDescription } from "../model-description.ts";

const WORDS = { critical: "Critical", warning: "Warning", info: "Note" } as const satisfies Record<
  RestWarning["severity"],
  string
>;
const ORDER: readonly RestWarning["severity"][] = ["critical", "warning", "info"];

/** What the model reads of a REST tool: description, usage notes, and its warnings, the gravest first, one a line. */
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
