import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { createGateway, providersFromEnvironment } from "@yagate/gateway";
import { startService } from "./start-service.ts";
import type { Framework, Story, Surroundings } from "./story.ts";

/** The running gateway and service of a story, and an agent with the tools. */
export interface Stage<Around extends Surroundings = Surroundings> {
  readonly yagate: Yagate;
  readonly agentId: string;
  /** The URL of the service's tools. */
  readonly handler: string;
  readonly signingSecret: string;
  readonly surroundings: Around;
  /** Stops everything, and removes its files. */
  stop(): Promise<void>;
}

export interface StageOptions {
  readonly framework: Framework;
  /** The agent's model; keys of providers are read from the environment. */
  readonly model: string;
  /** Receives what the service prints. */
  readonly say: (line: string) => void;
}

/** Starts everything that a story needs, on loopback. */
export async function setStage<Around extends Surroundings>(
  story: Story<Around>,
  { framework, model, say }: StageOptions,
): Promise<Stage<Around>> {
  const directory = await mkdtemp(join(tmpdir(), "yagate-story-"));
  const stops: (() => Promise<void> | void)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async () => {
    for (const next of stops.reverse()) await next();
  };
  try {
    const surroundings = await story.prepare(directory);
    stops.push(() => surroundings.stop());

    const apiKey = `yk_${randomBytes(32).toString("base64url")}`;
    const gateway = createGateway({
      port: 0,
      dataDir: join(directory, "gateway"),
      apiKey,
      providers: providersFromEnvironment(process.env),
      allowCidrs: ["127.0.0.0/8"],
    });
    const { url } = await gateway.start();
    stops.push(() => gateway.stop());
    const signingSecret = await gateway.revealSigningSecret();

    const environment = { ...surroundings.environment, YAGATE_SIGNING_SECRET: signingSecret };
    const service = await startService(new URL(`${framework}.ts`, story.folder), environment, say);
    stops.push(() => service.stop());

    const yagate = new Yagate({ baseUrl: url, apiKey });
    const handler = `${service.url}/tools`;
    if (story.describeSource !== undefined) await yagate.sources.create(story.describeSource(handler));
    const agent = await yagate.agents.create({ ...story.describeAgent(handler), model });
    return { yagate, agentId: agent.id, handler, signingSecret, surroundings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
