import type { StreamEvent } from "@yagate/client";
import { isJsonObject } from "@yagate/lib/json/json-object";

/** Returns the intents that routing chose in the turns of an execution, by the events `route.decided`. */
export function decidedIntents(events: readonly StreamEvent[]): readonly string[] {
  const found = new Set<string>();
  for (const event of events) {
    // Older gateways have no such event, so its type is not among the known ones.
    const type: string = event.type;
    const intents: unknown = type === "route.decided" ? Reflect.get(event, "intents") : undefined;
    for (const entry of Array.isArray(intents) ? intents : []) {
      const name: unknown = isJsonObject(entry) ? (entry["intent"] ?? entry["name"]) : entry;
      if (typeof name === "string") found.add(name);
    }
  }
  return [...found];
}
