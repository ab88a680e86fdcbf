import { join } from "node:path";
import type { Story } from "@yagate/example-stage/story";
import { describeAgent } from "./agent.ts";
import { seedOrders } from "./seed-orders.ts";

export const story: Story = {
  folder: new URL(".", import.meta.url),
  question: "Search my orders with status open",
  caller: { customerId: "cus_1" },
  describeAgent,
  prepare(directory) {
    const path = join(directory, "orders.db");
    seedOrders(path);
    return {
      environment: { ORDERS_DATABASE: path },
      describe: () => "The database is as it was: the service can only read it.",
      stop() {},
    };
  },
};
