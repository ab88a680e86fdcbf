import type { HandlerToolDefinition } from "@yagate/protocol";

/** What the model reads of a tool: the description, and how its author wants it used. */
export function modelDescription({
  description,
  usageNotes,
}: Pick<HandlerToolDefinition, "description" | "usageNotes">): string {
  return usageNotes === undefined || usageNotes.trim() === "" ? description : `${description}\n\n${usageNotes}`;
}
