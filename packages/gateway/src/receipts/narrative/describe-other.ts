import type { NarrativeContext } from "./event-of.ts";
import { quote } from "./phrases.ts";

/** Any event, as far as it can be understood without knowing its kind. */
export function describeOther(
  event: Readonly<Record<string, unknown>> & { readonly type: string },
  context: NarrativeContext,
): string {
  const { type, toolCallId, result, error } = event;
  if (typeof toolCallId !== "string") return `There is an entry of the type ${quote(type)}.`;
  const name = context.nameOf(toolCallId);
  if (type !== "callback.received") return `There is an entry of the type ${quote(type)} on ${name}.`;
  if (error === undefined) return `A callback brought the result of ${name}: ${quote(result)}.`;
  return `A callback said that ${name} failed: ${quote(error)}.`;
}
