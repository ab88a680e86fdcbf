import { defineTool, ToolError } from "@yagate/handler";
import * as z from "zod";

const bookTable = defineTool({
  name: "book_table",
  description: "Book a table in the restaurant.",
  parameters: z.object({ guests: z.int().min(1).max(12), time: z.string() }),
  // A repeated call with the same toolCallId changes nothing, so the gateway may retry it.
  sideEffect: "idempotent_write",
  execute({ guests, time }, { toolCallId }) {
    if (guests > 8) throw new ToolError("NO_TABLE", "there is no table for more than 8 guests");
    return { booked: true, guests, time, reference: toolCallId };
  },
});

/** The tools of this service. The gateway reads their names, descriptions and schemas from here. */
export const tools = [bookTable];
