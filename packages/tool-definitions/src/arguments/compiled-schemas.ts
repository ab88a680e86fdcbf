import type { JsonObject } from "@yagate/lib/json/json-object";
import { LRUCache } from "lru-cache";
import { type CheckValue, compileSchema } from "./compile-schema.ts";
import { collectSchemaNodes } from "./schema-nodes.ts";

interface Entry {
  readonly check: CheckValue;
  /** Number of subschemas, which determine the memory: 2 to 10 KB each. */
  readonly weight: number;
}

/** Compiled schemas by hash; the least recently used ones are evicted first. */
export class CompiledSchemas {
  readonly #entries: LRUCache<string, Entry>;
  readonly #onCompile: (hash: string) => void;

  constructor(options: { maxEntries: number; maxWeight: number; onCompile: (hash: string) => void }) {
    const { maxEntries, maxWeight, onCompile } = options;
    this.#entries = new LRUCache({
      max: maxEntries,
      maxSize: maxWeight,
      // A schema above the limit is cached alone: otherwise each of its calls would compile it again.
      sizeCalculation: ({ weight }) => Math.min(weight, maxWeight),
    });
    this.#onCompile = onCompile;
  }

  /** The compiled schema for a hash. @throws Error when the schema can't be compiled. */
  get(hash: string, schema: JsonObject): CheckValue {
    const known = this.#entries.get(hash);
    if (known !== undefined) return known.check;
    const entry = { check: compileSchema(schema), weight: collectSchemaNodes(schema).size };
    this.#entries.set(hash, entry);
    this.#onCompile(hash);
    return entry.check;
  }
}
