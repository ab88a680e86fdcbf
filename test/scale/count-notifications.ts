import { Client } from "pg";

/**
 * Counts the commits of this process that notify other replicas. A connection that listened in order to count them would
 * receive each in a transaction, which would be counted too.
 */
export function countNotifications(): () => number {
  let count = 0;
  Client.prototype.query = new Proxy(Client.prototype.query, {
    apply(query, client, values: [unknown]) {
      if (isNotification(values[0])) count += 1;
      return Reflect.apply(query, client, values);
    },
  });
  return () => count;
}

function isNotification(query: unknown): boolean {
  const text = typeof query === "object" && query !== null && "text" in query ? query.text : query;
  return typeof text === "string" && text.includes("pg_notify(");
}
