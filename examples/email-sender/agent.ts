import type { AgentDefinition } from "@yagate/client";
import { sendEmail } from "./tools.ts";

/** @param handler - the URL of the service's tools. */
export function describeAgent(handler: string): Omit<AgentDefinition, "model"> {
  return {
    name: "Mail desk",
    systemPrompt: "You write short, friendly emails to customers when you are asked to.",
    tools: [
      {
        ...sendEmail,
        handler,
        timeout: 15_000,
        // Applies only to attempts that certainly sent nothing: an email with an unknown outcome is never sent again.
        retries: 3,
        sideEffect: "non_idempotent_write",
      },
    ],
  };
}
