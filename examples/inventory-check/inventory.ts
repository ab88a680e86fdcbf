import { DatabaseSync } from "node:sqlite";

/** The outcome of a reservation. */
export type Reservation =
  | { readonly state: "reserved"; readonly left: number }
  | { readonly state: "out_of_stock"; readonly available: number }
  | { readonly state: "unknown_item" };

/**
 * Opens the inventory. A reservation is a row whose key is the tool call's id. It is written in the same transaction as
 * the stock check, so two calls never get the same last piece, and a repeated call takes only one.
 */
export function openInventory(path: string) {
  const database = new DatabaseSync(path, { timeout: 2_000 });
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS items (sku TEXT PRIMARY KEY, name TEXT NOT NULL, pieces INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS reservations (
      id TEXT PRIMARY KEY,
      sku TEXT NOT NULL REFERENCES items (sku),
      pieces INTEGER NOT NULL CHECK (pieces > 0)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS reservations_by_item ON reservations (sku);
  `);
  const item = database.prepare(`
    SELECT sku, name, pieces - coalesce((SELECT sum(r.pieces) FROM reservations r WHERE r.sku = items.sku), 0) AS available
    FROM items WHERE sku = ?`);
  const reservation = database.prepare("SELECT pieces FROM reservations WHERE id = ?");
  const insert = database.prepare("INSERT INTO reservations (id, sku, pieces) VALUES (?, ?, ?)");
  const put = database.prepare("INSERT OR REPLACE INTO items (sku, name, pieces) VALUES (?, ?, ?)");

  function find(sku: string) {
    const row = item.get(sku);
    return row === undefined ? undefined : { sku, name: String(row["name"]), available: Number(row["available"]) };
  }

  function reserve(id: string, sku: string, pieces: number): Reservation {
    const stock = find(sku);
    if (stock === undefined) return { state: "unknown_item" };
    if (reservation.get(id) !== undefined) return { state: "reserved", left: stock.available };
    if (stock.available < pieces) return { state: "out_of_stock", available: stock.available };
    insert.run(id, sku, pieces);
    return { state: "reserved", left: stock.available - pieces };
  }

  return {
    find,
    /** @throws if another process locks the database for too long. */
    reserve(id: string, sku: string, pieces: number): Reservation {
      // IMMEDIATE takes the write lock before the check, so that nothing changes in between.
      database.exec("BEGIN IMMEDIATE");
      try {
        const outcome = reserve(id, sku, pieces);
        database.exec("COMMIT");
        return outcome;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    stock: (sku: string, name: string, pieces: number) => void put.run(sku, name, pieces),
    close: () => database.close(),
  };
}
