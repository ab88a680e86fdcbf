import type { NarrativeContext } from "./event-of.ts";
import { quote } from "./phrases.ts";

/** Describes any event, including events of an unknown type. */
export function describeOther(
  event: Readonly<Record<string, unknown>> & { readonly type: string },
  context: NarrativeContext,
): string {
  const { type, toolCallId, result, error } = event;
  if (typeof toolCallId !== "string") return `An entry has the type ${quote(type)}.`;
  const name = context.nameOf(toolCallId);
  if (type !== "callback.received") return `An entry for ${name} has the type ${quote(type)}.`;
  if (error === undefined) return `A callback delivered the result of ${name}: ${quote(result)}.`;
  return `A callback reported that ${name} failed: ${quote(error)}.`;
}
