import { createHandler } from "@yagate/handler";
import { openInventory } from "./inventory.ts";
import { createInventoryTools } from "./tools.ts";

export const handler = createHandler({
  secrets: process.env["YAGATE_SIGNING_SECRET"],
  tools: createInventoryTools(openInventory(process.env["INVENTORY_DATABASE"] ?? "inventory.db")),
});
