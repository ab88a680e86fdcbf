import type { AgentDefinition, CreateToolSource } from "@yagate/client";

/**
 * The service as a tool source: it describes its tools itself.
 *
 * @param url - the URL of the service's tools.
 */
export function describeSource(url: string): CreateToolSource {
  return { name: "inventory", kind: "handler", url, accept: "all", defaults: { retries: 3 } };
}

/** An agent with all accepted tools of the source. */
export function describeAgent(): Omit<AgentDefinition, "model"> {
  return {
    name: "Stock desk",
    systemPrompt: "You say what is in stock and reserve it when you are asked to.",
    tools: [{ source: "inventory" }],
  };
}
