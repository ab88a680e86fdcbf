import type { AgentDefinition } from "@yagate/client";
import { bookMeeting, findFreeSlots } from "./tools.ts";

/** @param handler - the URL of the service's tools. */
export function describeAgent(handler: string): Omit<AgentDefinition, "model"> {
  return {
    name: "Calendar desk",
    systemPrompt: "You book meetings. When a time is taken, offer the free ones that the tool names.",
    tools: [
      {
        ...findFreeSlots,
        handler,
        retries: 2,
        sideEffect: "read_only",
      },
      {
        ...bookMeeting,
        handler,
        retries: 2,
        // The call's id is the booking's id, so a repeated call makes only one booking.
        sideEffect: "idempotent_write",
      },
      { builtin: "datetime" },
    ],
  };
}
