import type { StreamEvent } from "@yagate/client";
import { isJsonObject } from "@yagate/lib/json/json-object";

/** What routing decided about the intents of an execution, in any of its model turns. */
export interface DecidedIntents {
  /** The intents for which it chose a capability. */
  readonly chosen: ReadonlySet<string>;
  /** The intents for which it never chose one, because none could serve them or because they were hidden. */
  readonly unserved: ReadonlySet<string>;
}

/** Reads the decisions about intents from the events `route.decided` of an execution. */
export function decidedIntents(events: readonly StreamEvent[]): DecidedIntents {
  const chosen = new Set<string>();
  const listed = new Set<string>();
  for (const event of events) {
    // Older gateways have no such event, so its type is not among the known ones.
    const type: string = event.type;
    const intents: unknown = type === "route.decided" ? Reflect.get(event, "intents") : undefined;
    for (const entry of Array.isArray(intents) ? intents : []) {
      const name: unknown = isJsonObject(entry) ? entry["intent"] : undefined;
      if (typeof name !== "string") continue;
      listed.add(name);
      if (isJsonObject(entry) && typeof entry["chosen"] === "string") chosen.add(name);
    }
  }
  return { chosen, unserved: new Set([...listed].filter((name) => !chosen.has(name))) };
}
