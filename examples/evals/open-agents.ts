import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentDefinition } from "@yagate/client";
import { type Desk, openDesk } from "@yagate/example-stage/open-desk";
import { startService } from "@yagate/example-stage/start-service";
import type { Story } from "@yagate/example-stage/story";
import type { GatewayConfig } from "@yagate/gateway";
import { story as calendarBooking } from "../calendar-booking/story.ts";
import { story as chatNotification } from "../chat-notification/story.ts";
import { story as databaseQuery } from "../database-query/story.ts";
import { story as emailSender } from "../email-sender/story.ts";
import { story as inventoryCheck } from "../inventory-check/story.ts";
import { describeAgent as describePriceDesk } from "../mcp-host/agent.ts";
import { describeAgent as describeHelpDesk, describeSource, TICKETS_KEY } from "../mcp-tickets/agent.ts";
import { describeAgent as describeRefundDesk, PAYMENT_KEY } from "../payment-refund/agent.ts";
import { describeAgent as describeDemo } from "../quickstart/agent.ts";
import { startOrderService } from "../quickstart/order-service.ts";
import { researchAgent } from "../research-agent/agent.ts";
import { searchDesk } from "../search-failover/agent.ts";

const STORIES: Readonly<Record<string, Story>> = {
  "calendar-booking": calendarBooking,
  "chat-notification": chatNotification,
  "database-query": databaseQuery,
  "email-sender": emailSender,
  "inventory-check": inventoryCheck,
};

/** Nothing listens there: an agent whose cases run from cassettes sends no request. */
const NOWHERE = "http://127.0.0.1:9";

/** A gateway while the agents are created. */
interface AgentsDesk extends Desk {
  readonly signingSecret: string;
  /** Whether the services run that the agents call. */
  readonly isLive: boolean;
  create(name: string, definition: Omit<AgentDefinition, "model">): Promise<void>;
}

/**
 * Starts a gateway with the agents of all examples, each under the name of its folder.
 *
 * @param isLive - whether their services run too. From cassettes, only those are needed that describe tools.
 */
export async function openAgents(isLive: boolean, model = "scripted/keyword") {
  const search = { local: { folder: fileURLToPath(new URL("../research-agent/corpus", import.meta.url)) } };
  const config: GatewayConfig = { search, allowCidrs: ["127.0.0.0/8"], logLevel: "silent" };
  return openDesk("evals", config, async (desk) => {
    const create = async (name: string, definition: Omit<AgentDefinition, "model">) => {
      await desk.yagate.agents.create({ ...definition, model, name });
    };
    const signingSecret = await desk.revealSigningSecret();
    const agents: AgentsDesk = { ...desk, signingSecret, isLive, create };
    const stories = Object.entries(STORIES).map(([name, story]) => openStory(name, story, agents));
    await Promise.all([...stories, openTickets(agents), openRefunds(agents), openWeather(agents), openDemo(agents)]);
    await create("research-agent", researchAgent);
    await create("search-failover", searchDesk);
    await create("mcp-host", describePriceDesk());
    return {};
  });
}

async function openStory(name: string, story: Story, desk: AgentsDesk): Promise<void> {
  const { yagate, isLive, signingSecret, onStop } = desk;
  let handler = `${NOWHERE}/tools`;
  if (isLive || story.describeSource !== undefined) {
    const directory = await mkdtemp(join(tmpdir(), "yagate-story-"));
    onStop(() => rm(directory, { recursive: true, force: true }));
    const surroundings = await story.prepare(directory);
    onStop(async () => surroundings.stop());
    const environment = { ...surroundings.environment, YAGATE_SIGNING_SECRET: signingSecret };
    handler = `${await urlOf(new URL("express.ts", story.folder), environment, desk)}/tools`;
  }
  if (story.describeSource !== undefined) await yagate.sources.create(story.describeSource(handler));
  await desk.create(name, story.describeAgent(handler));
}

async function openTickets(desk: AgentsDesk): Promise<void> {
  const { yagate } = desk;
  const server = await urlOf(service("mcp-tickets/ticket-server.ts"), { TICKETS_API_KEY: "tck_of_the_evals" }, desk);
  await yagate.secrets.set(TICKETS_KEY, { value: "tck_of_the_evals", hosts: ["127.0.0.1"] });
  const source = await yagate.sources.create(describeSource(`${server}/mcp`));
  const changes = await yagate.sources.changes(source.id).toArray();
  const tools = changes.flatMap(({ name, hash }) =>
    hash === null ? [] : [{ name, hash, ...(name === "find_ticket" ? { sideEffect: "read_only" as const } : {}) }],
  );
  await yagate.sources.accept(source.id, { tools });
  await desk.create("mcp-tickets", describeHelpDesk());
}

async function openRefunds(desk: AgentsDesk): Promise<void> {
  const key = "pk_live_of_the_evals";
  const file = service("payment-refund/payment-service.ts");
  const url = desk.isLive ? await urlOf(file, { PAYMENT_API_KEY: key }, desk) : NOWHERE;
  await desk.yagate.secrets.set(PAYMENT_KEY, { value: key, hosts: ["127.0.0.1"] });
  await desk.create("payment-refund", describeRefundDesk(url));
}

async function openWeather(desk: AgentsDesk): Promise<void> {
  const { yagate } = desk;
  const key = "key-of-the-evals";
  const url = await urlOf(service("weather-api/weather-service.ts"), { WEATHER_API_KEY: key }, desk);
  const auth = { type: "query_param", name: "appid" } as const;
  await yagate.secrets.set("WEATHER_API_KEY", { value: key, auth, hosts: ["127.0.0.1"] });
  const tool = await yagate.tools.create(await readJson("weather-api/weather-tool.json", url));
  await yagate.tools.test(tool.id, { parameters: { city: "London" } });
  await yagate.tools.validate(tool.id);
  await yagate.tools.finalize(tool.id);
  const agent = await readJson("weather-api/agent.json", url);
  await desk.create("weather-api", { ...agent, tools: [{ tool: tool.id }] });
}

async function openDemo(desk: AgentsDesk): Promise<void> {
  let handler = `${NOWHERE}/tools`;
  if (desk.isLive) {
    const orders = await startOrderService(desk.signingSecret, () => undefined);
    desk.onStop(() => orders.stop());
    handler = orders.url;
  }
  await desk.create("quickstart", describeDemo(handler));
}

async function urlOf(file: URL, environment: Readonly<Record<string, string>>, { onStop }: Desk): Promise<string> {
  const running = await startService(file, environment, () => undefined);
  onStop(() => running.stop());
  return running.url;
}

function service(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

/** Reads a file of the example that its commands read, with the URL of the service of this run. */
async function readJson(path: string, url: string) {
  const text = await readFile(service(path), "utf8");
  return JSON.parse(text.replaceAll("http://127.0.0.1:4830", url));
}
