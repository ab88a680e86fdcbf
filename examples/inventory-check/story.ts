import { join } from "node:path";
import type { Story, Surroundings } from "@yagate/example-stage/story";
import { describeAgent, describeSource } from "./agent.ts";
import { openInventory } from "./inventory.ts";

interface InventorySurroundings extends Surroundings {
  /** The service's database. */
  readonly path: string;
  readonly inventory: ReturnType<typeof openInventory>;
}

export const story: Story<InventorySurroundings> = {
  folder: new URL(".", import.meta.url),
  question: "Reserve 2 pieces of SKU-100",
  describeSource,
  describeAgent,
  prepare(directory: string): InventorySurroundings {
    const path = join(directory, "inventory.db");
    const inventory = openInventory(path);
    inventory.stock("SKU-100", "teapot", 3);
    inventory.stock("SKU-200", "reading lamp", 0);
    return {
      path,
      inventory,
      environment: { INVENTORY_DATABASE: path },
      describe: () => `Of SKU-100, ${inventory.find("SKU-100")?.available} pieces are left.`,
      stop: () => inventory.close(),
    };
  },
};
