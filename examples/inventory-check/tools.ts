import { defineTool, ToolError } from "@yagate/handler";
import { z } from "zod";
import type { openInventory } from "./inventory.ts";

const sku = z
  .string()
  .regex(/^SKU-\d{1,8}$/)
  .describe("the item's number, such as SKU-100");

const SQLITE_BUSY = 5;

export function createInventoryTools(inventory: ReturnType<typeof openInventory>) {
  return [
    defineTool({
      name: "check_stock",
      description: "How many pieces of an item are available.",
      parameters: z.object({ sku }),
      sideEffect: "read_only",
      execute({ sku }) {
        return inventory.find(sku) ?? unknownItem(sku);
      },
    }),
    defineTool({
      name: "reserve_stock",
      description: "Reserve pieces of an item for a customer.",
      parameters: z.object({ sku, pieces: z.int().min(1).max(100).describe("how many pieces") }),
      // A reservation has the id of the call as its key, so the same call twice takes the pieces once.
      sideEffect: "idempotent_write",
      execute({ sku, pieces }, { toolCallId }) {
        const outcome = whenFree(() => inventory.reserve(toolCallId, sku, pieces));
        if (outcome.state === "unknown_item") return unknownItem(sku);
        if (outcome.state === "reserved") return { reservation: toolCallId, sku, pieces, left: outcome.left };
        throw new ToolError("OUT_OF_STOCK", `only ${outcome.available} pieces of ${sku} are available`, {
          hint: "ask whether fewer would do",
          details: { available: outcome.available },
        });
      },
    }),
  ];
}

function unknownItem(sku: string): never {
  throw new ToolError("ITEM_UNKNOWN", `there is no item ${sku}`, { hint: "ask for the item's exact number" });
}

/** If the database is busy, nothing has changed, so the gateway may try again. */
function whenFree<Outcome>(work: () => Outcome): Outcome {
  try {
    return work();
  } catch (cause) {
    const isBusy = cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY;
    if (!isBusy) throw cause;
    throw new ToolError("INVENTORY_BUSY", "the inventory is busy", { retryable: true, cause });
  }
}
