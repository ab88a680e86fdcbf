import type { AgentDefinition } from "@yagate/client";
import { notifyChannel } from "./tools.ts";

/** @param handler - the URL of the service's tools. */
export function describeAgent(handler: string): Omit<AgentDefinition, "model"> {
  return {
    name: "Shift desk",
    systemPrompt: "You tell the team in its chat what they need to know, in one sentence.",
    tools: [
      {
        ...notifyChannel,
        handler,
        timeout: 5_000,
        // Applies only to attempts that certainly posted nothing: a message with an unknown outcome is never posted
        // again.
        retries: 3,
        sideEffect: "non_idempotent_write",
      },
    ],
  };
}
