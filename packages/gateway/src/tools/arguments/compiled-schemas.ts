import type { JsonObject } from "@yagate/lib/json/json-object";
import { type CheckValue, compileSchema } from "./compile-schema.ts";
import { collectSchemaNodes } from "./schema-nodes.ts";

interface Entry {
  readonly check: CheckValue;
  /** Schemas in the schema: what it costs in memory goes with them, 2 to 10 KB each. */
  readonly weight: number;
}

/** Compiled schemas by hash; those that were used longest ago are forgotten first. */
export class CompiledSchemas {
  // A Map lists its keys in the order of insertion: moved to the end at each use, the first is the oldest.
  readonly #entries = new Map<string, Entry>();
  readonly #maxEntries: number;
  readonly #maxWeight: number;
  readonly #onCompile: (hash: string) => void;
  #weight = 0;

  constructor(options: { maxEntries: number; maxWeight: number; onCompile: (hash: string) => void }) {
    this.#maxEntries = options.maxEntries;
    this.#maxWeight = options.maxWeight;
    this.#onCompile = options.onCompile;
  }

  /** The check for a hash, compiled if it isn't there. @throws Error when the schema can't be compiled. */
  get(hash: string, schema: JsonObject): CheckValue {
    const known = this.#entries.get(hash);
    if (known !== undefined) {
      this.#entries.delete(hash);
      this.#entries.set(hash, known);
      return known.check;
    }
    const entry = { check: compileSchema(schema), weight: collectSchemaNodes(schema).size };
    this.#entries.set(hash, entry);
    this.#weight += entry.weight;
    this.#forgetOldest();
    this.#onCompile(hash);
    return entry.check;
  }

  #forgetOldest(): void {
    for (const [hash, { weight }] of this.#entries) {
      const fits = this.#entries.size <= this.#maxEntries && this.#weight <= this.#maxWeight;
      if (fits || this.#entries.size === 1) return;
      this.#entries.delete(hash);
      this.#weight -= weight;
    }
  }
}
