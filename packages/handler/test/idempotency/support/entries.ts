import type { StoreWorld } from "../conformance/store-world.ts";
import { type OpenStore, openStore, type StorePlace } from "./open-store.ts";

/** Empty entries at a place, which nobody else knows. */
export interface Entries {
  readonly place: StorePlace;
  /** Makes all times of all entries earlier. */
  age(durationMs: number): Promise<void>;
  /** How many there are, expired or not. */
  count(): Promise<number>;
  remove(): Promise<void>;
}

/** The world of a conformance test over such entries. */
export function worldOf({ place, age, remove }: Entries): StoreWorld {
  const opened: OpenStore[] = [];
  return {
    age,
    async open(options) {
      const store = await openStore(place, options);
      opened.push(store);
      return store.store;
    },
    async close() {
      for (const store of opened) await store.close();
      await remove();
    },
  };
}
