import type { JsonObject } from "@yagate/lib/json/json-object";
import { LRUCache } from "lru-cache";
import { type CheckValue, compileSchema } from "./compile-schema.ts";
import { collectSchemaNodes } from "./schema-nodes.ts";

interface Entry {
  readonly check: CheckValue;
  /** Schemas in the schema: what it costs in memory goes with them, 2 to 10 KB each. */
  readonly weight: number;
}

/** Compiled schemas by hash; those that were used longest ago are forgotten first. */
export class CompiledSchemas {
  readonly #entries: LRUCache<string, Entry>;
  readonly #onCompile: (hash: string) => void;

  constructor(options: { maxEntries: number; maxWeight: number; onCompile: (hash: string) => void }) {
    const { maxEntries, maxWeight, onCompile } = options;
    this.#entries = new LRUCache({
      max: maxEntries,
      maxSize: maxWeight,
      // A schema that is heavier than the bound is kept alone, or each of its calls would compile it again.
      sizeCalculation: ({ weight }) => Math.min(weight, maxWeight),
    });
    this.#onCompile = onCompile;
  }

  /** The check for a hash, compiled if it isn't there. @throws Error when the schema can't be compiled. */
  get(hash: string, schema: JsonObject): CheckValue {
    const known = this.#entries.get(hash);
    if (known !== undefined) return known.check;
    const entry = { check: compileSchema(schema), weight: collectSchemaNodes(schema).size };
    this.#entries.set(hash, entry);
    this.#onCompile(hash);
    return entry.check;
  }
}
