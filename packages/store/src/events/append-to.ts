import type { Append, AppendOutcome, EventStore } from "./event-store.ts";

/** Appends events and resolves to the outcome after the commit. Rejects with the error of the store. */
export function appendTo(eventStore: Pick<EventStore, "append">, append: Append): Promise<AppendOutcome> {
  return new Promise((resolve, reject) => {
    eventStore.append(append, (end) => {
      if (typeof end === "string") resolve(end);
      else reject(end.error);
    });
  });
}
