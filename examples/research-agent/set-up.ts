import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Yagate } from "@yagate/client";
import { createGateway, providersFromEnvironment } from "@yagate/gateway";
import { researchAgent } from "./agent.ts";

/** The research desk, running. */
export interface ResearchDesk {
  readonly yagate: Yagate;
  readonly agentId: string;
  /** Stops everything, and removes what it left on the disk. */
  stop(): Promise<void>;
}

/** Starts a gateway that searches in the folder `corpus`. */
export async function setUp(model: string): Promise<ResearchDesk> {
  const directory = await mkdtemp(join(tmpdir(), "yagate-research-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async () => {
    for (const next of stops.reverse()) await next();
  };
  try {
    const apiKey = `yk_${randomBytes(32).toString("base64url")}`;
    const gateway = createGateway({
      port: 0,
      dataDir: directory,
      apiKey,
      providers: providersFromEnvironment(process.env),
      // The same as YAGATE_SEARCH_FOLDER. No web is searched, and nothing leaves the machine for it.
      search: { local: { folder: fileURLToPath(new URL("corpus", import.meta.url)) } },
    });
    const { url } = await gateway.start();
    stops.push(() => gateway.stop());

    const yagate = new Yagate({ baseUrl: url, apiKey });
    const agent = await yagate.agents.create({ ...researchAgent, model });
    return { yagate, agentId: agent.id, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
