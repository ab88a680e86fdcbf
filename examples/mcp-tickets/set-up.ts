import { randomBytes } from "node:crypto";
import type { ToolChange } from "@yagate/client";
import { openDesk } from "@yagate/example-stage/open-desk";
import { startService } from "@yagate/example-stage/start-service";
import { describeAgent, describeSource, TICKETS_KEY } from "./agent.ts";

// The stand-in listens on this machine. A real server uses https and does not need this setting.
const ON_LOOPBACK = { allowCidrs: ["127.0.0.0/8"] };

/** Starts a gateway and the MCP server, on loopback, and accepts the server's tools. */
export function setUp(model: string) {
  return openDesk("tickets", ON_LOOPBACK, async ({ yagate, onStop }) => {
    const ticketsKey = `tck_${randomBytes(16).toString("hex")}`;
    const file = new URL("ticket-server.ts", import.meta.url);
    const server = await startService(file, { TICKETS_API_KEY: ticketsKey }, () => {});
    onStop(() => server.stop());

    await yagate.secrets.set(TICKETS_KEY, { value: ticketsKey, hosts: [new URL(server.url).hostname] });
    const source = await yagate.sources.create(describeSource(`${server.url}/mcp`));
    // The definitions as they are reviewed, before they are accepted.
    const reviewed = await yagate.sources.changes(source.id).toArray();
    await yagate.sources.accept(source.id, { tools: reviewed.flatMap(toAcceptance) });
    const agent = await yagate.agents.create({ ...describeAgent(), model });
    return { agentId: agent.id, reviewed };
  });
}

/** Accepts a definition. A person who knows the server states that looking up a ticket changes nothing. */
function toAcceptance({ name, hash }: ToolChange) {
  if (hash === null) return [];
  return [{ name, hash, ...(name === "find_ticket" ? { sideEffect: "read_only" as const } : {}) }];
}
