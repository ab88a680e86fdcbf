import type { LookupFunction } from "node:net";

/** Addresses, an error code, or `silence`: an answer that never comes. */
export type Answer = readonly string[] | { readonly error: string } | "silence";

/** A resolver that answers by a script and remembers what it was asked. */
export interface ScriptedLookup {
  readonly lookup: LookupFunction;
  /** Names, in the order in which they were asked for. */
  readonly queries: string[];
}

/** @param script - the answer to a name; `query` is 1 for the first time that this name is asked for. */
export function scriptedLookup(script: (name: string, query: number) => Answer): ScriptedLookup {
  const queries: string[] = [];
  return {
    queries,
    lookup: (name, _options, callback) => {
      queries.push(name);
      const answer = script(name, queries.filter((query) => query === name).length);
      if (answer === "silence") {
        return;
      }
      if ("error" in answer) {
        callback(Object.assign(new Error(`scripted ${answer.error}`), { code: answer.error }), []);
        return;
      }
      callback(
        null,
        answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    },
  };
}

/** Every name stands for 127.0.0.1. */
export const loopbackLookup = scriptedLookup(() => ["127.0.0.1"]).lookup;
