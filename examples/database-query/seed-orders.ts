import { DatabaseSync } from "node:sqlite";

const ORDERS = [
  ["ORD-1001", "cus_1", "teapot", "delivered", "2026-09-02", 4_900],
  ["ORD-1002", "cus_1", "two cups", "open", "2026-11-14", 1_800],
  ["ORD-1003", "cus_1", "reading lamp", "open", "2026-11-19", 7_450],
  ["ORD-2001", "cus_2", "teapot", "open", "2026-11-18", 4_900],
] as const;

/** Creates the shop's database, with the orders of two customers. */
export function seedOrders(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE orders (
      id TEXT PRIMARY KEY,
      customerId TEXT NOT NULL,
      item TEXT NOT NULL,
      status TEXT NOT NULL,
      placedOn TEXT NOT NULL,
      totalCents INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX orders_by_customer ON orders (customerId, placedOn);
  `);
  const insert = database.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)");
  for (const order of ORDERS) insert.run(...order);
  database.close();
}
