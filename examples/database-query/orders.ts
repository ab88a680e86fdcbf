import { DatabaseSync } from "node:sqlite";

export interface Order {
  readonly id: string;
  readonly item: string;
  readonly status: string;
  readonly placedOn: string;
  readonly totalCents: number;
}

/** The filters of a query. Days are `YYYY-MM-DD`, and both are included. */
export interface OrderQuery {
  readonly status?: string | undefined;
  /** Part of the item's name. */
  readonly item?: string | undefined;
  readonly placedFrom?: string | undefined;
  readonly placedTo?: string | undefined;
}

const FILTER = `
  customerId = :customerId
  AND (:status IS NULL OR status = :status)
  AND (:item IS NULL OR instr(lower(item), lower(:item)) > 0)
  AND (:placedFrom IS NULL OR placedOn >= :placedFrom)
  AND (:placedTo IS NULL OR placedOn <= :placedTo)`;

/**
 * Opens the orders read-only, so a tool cannot change them, whatever a model asks it to do. Values are passed to SQL as
 * parameters, never as text.
 */
export function openOrders(path: string) {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  const find = database.prepare(
    `SELECT id, item, status, placedOn, totalCents FROM orders WHERE ${FILTER} ORDER BY placedOn DESC, id LIMIT :limit`,
  );
  const sum = database.prepare(
    `SELECT status, count(*) AS orders, sum(totalCents) AS totalCents FROM orders WHERE ${FILTER} GROUP BY status ORDER BY status`,
  );
  return {
    /** Returns at most `limit` orders of one customer, newest first. */
    find(customerId: string, query: OrderQuery, limit: number): readonly Order[] {
      return find.all({ ...toValues(customerId, query), limit }).map(toOrder);
    },
    /** Returns the number and the value of one customer's orders, by status. */
    totals(customerId: string, query: OrderQuery) {
      return sum.all(toValues(customerId, query)).map((row) => ({
        status: String(row["status"]),
        orders: Number(row["orders"]),
        totalCents: Number(row["totalCents"]),
      }));
    },
  };
}

function toValues(customerId: string, { status, item, placedFrom, placedTo }: OrderQuery) {
  return {
    customerId,
    status: status ?? null,
    item: item ?? null,
    placedFrom: placedFrom ?? null,
    placedTo: placedTo ?? null,
  };
}

function toOrder(row: Record<string, unknown>): Order {
  return {
    id: String(row["id"]),
    item: String(row["item"]),
    status: String(row["status"]),
    placedOn: String(row["placedOn"]),
    totalCents: Number(row["totalCents"]),
  };
}
