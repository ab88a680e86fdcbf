import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ToolChange, Yagate } from "@yagate/client";
import { startService } from "@yagate/example-stage/start-service";
import { createGateway, providersFromEnvironment } from "@yagate/gateway";
import { describeAgent, describeSource, TICKETS_KEY } from "./agent.ts";

/** The help desk, running. */
export interface HelpDesk {
  readonly yagate: Yagate;
  readonly agentId: string;
  readonly sourceId: string;
  /** The definitions as they were reviewed, before they were accepted. */
  readonly reviewed: readonly ToolChange[];
  /** Stops everything, and removes what it left on the disk. */
  stop(): Promise<void>;
}

/** Starts a gateway and the MCP server, on loopback, and accepts the server's tools. */
export async function setUp(model: string): Promise<HelpDesk> {
  const directory = await mkdtemp(join(tmpdir(), "yagate-tickets-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async () => {
    for (const next of stops.reverse()) await next();
  };
  try {
    const ticketsKey = `tck_${randomBytes(16).toString("hex")}`;
    const file = new URL("ticket-server.ts", import.meta.url);
    const server = await startService(file, { TICKETS_API_KEY: ticketsKey }, () => {});
    stops.push(() => server.stop());

    const apiKey = `yk_${randomBytes(32).toString("base64url")}`;
    const gateway = createGateway({
      port: 0,
      dataDir: directory,
      apiKey,
      providers: providersFromEnvironment(process.env),
      // The stand-in listens on this machine; a real server is on https and needs no such thing.
      allowCidrs: ["127.0.0.0/8"],
    });
    const { url } = await gateway.start();
    stops.push(() => gateway.stop());

    const yagate = new Yagate({ baseUrl: url, apiKey });
    await yagate.secrets.set(TICKETS_KEY, { value: ticketsKey, hosts: [new URL(server.url).hostname] });
    const source = await yagate.sources.create(describeSource(`${server.url}/mcp`));
    const reviewed = await yagate.sources.changes(source.id).toArray();
    await yagate.sources.accept(source.id, { tools: reviewed.flatMap(toAcceptance) });
    const agent = await yagate.agents.create({ ...describeAgent(), model });
    return { yagate, agentId: agent.id, sourceId: source.id, reviewed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Accepts a definition. A person who knows the server states that looking up a ticket changes nothing. */
function toAcceptance({ name, hash }: ToolChange) {
  if (hash === null) return [];
  return [{ name, hash, ...(name === "find_ticket" ? { sideEffect: "read_only" as const } : {}) }];
}
