import { Redis } from "ioredis";
import { Pool } from "pg";
import { createClient } from "redis";
import type { IdempotencyStore } from "../../../src/index.ts";
import { createPostgresIdempotencyStore } from "../../../src/postgres.ts";
import { createRedisIdempotencyStore } from "../../../src/redis.ts";
import { createSqliteIdempotencyStore } from "../../../src/sqlite.ts";

/** A store that several processes can open. */
export interface StorePlace {
  readonly kind: "node:sqlite" | "pg" | "redis" | "ioredis";
  /** A file, or a URL. */
  readonly location: string;
}

export interface OpenStore {
  readonly store: IdempotencyStore;
  close(): Promise<void>;
}

/** Options that all of them have. */
interface OpenOptions {
  readonly tenant?: string;
  readonly timeoutMs?: number;
}

/** Opens a store with a connection of its own, through its usual client. */
export async function openStore({ kind, location }: StorePlace, options: OpenOptions = {}): Promise<OpenStore> {
  switch (kind) {
    case "node:sqlite": {
      // Only when it is asked for: older versions of Node lack it.
      const { DatabaseSync } = await import("node:sqlite");
      const database = new DatabaseSync(location);
      return { store: createSqliteIdempotencyStore({ database, ...options }), close: async () => database.close() };
    }
    case "pg": {
      const pool = new Pool({ connectionString: location, max: 5 });
      pool.on("error", () => {});
      return { store: createPostgresIdempotencyStore({ pool, ...options }), close: () => pool.end() };
    }
    case "redis": {
      const client = createClient({ url: location });
      client.on("error", () => {});
      await client.connect();
      return { store: createRedisIdempotencyStore({ client, ...options }), close: async () => client.destroy() };
    }
    case "ioredis": {
      const client = new Redis(location);
      client.on("error", () => {});
      return { store: createRedisIdempotencyStore({ client, ...options }), close: async () => client.disconnect() };
    }
  }
}
