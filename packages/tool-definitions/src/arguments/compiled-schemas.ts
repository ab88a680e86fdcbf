import type { JsonObject } from "@yagate/lib/json/json-object";
import { LRUCache } from "lru-cache";
import { type CheckValue, compileSchema } from "./compile-schema.ts";
import { collectSchemaNodes } from "./schema-nodes.ts";

interface Entry {
  readonly check: CheckValue;
  /** Number of subschemas, which determine the memory that the schema uses: 2 to 10 KB each. */
  readonly weight: number;
}

/** A cache of compiled schemas by hash. The least recently used ones are evicted first. */
export class CompiledSchemas {
  readonly #entries: LRUCache<string, Entry>;
  readonly #onCompile: (hash: string) => void;

  constructor(options: { maxEntries: number; maxWeight: number; onCompile: (hash: string) => void }) {
    const { maxEntries, maxWeight, onCompile } = options;
    this.#entries = new LRUCache({
      max: maxEntries,
      maxSize: maxWeight,
      // A schema that exceeds the limit is cached alone. Otherwise every call to its tool would compile it again.
      sizeCalculation: ({ weight }) => Math.min(weight, maxWeight),
    });
    this.#onCompile = onCompile;
  }

  /**
   * Returns the compiled schema for a hash, and compiles it if it is not cached.
   * @throws Error if the schema can't be compiled.
   */
  get(hash: string, schema: JsonObject): CheckValue {
    const known = this.#entries.get(hash);
    if (known !== undefined) return known.check;
    const entry = { check: compileSchema(schema), weight: collectSchemaNodes(schema).size };
    this.#entries.set(hash, entry);
    this.#onCompile(hash);
    return entry.check;
  }
}
