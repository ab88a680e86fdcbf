import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { text } from "node:stream/consumers";
import {
  type Agent,
  type AttemptDetail,
  attemptDetailSchema,
  type CreateExecution,
  type Execution,
  type JsonObject,
  pageSchema,
  type ToolCallRecord,
  toolCallRecordSchema,
} from "@yagate/protocol";
import { afterAll } from "vitest";
import type { GatewayConfig } from "../../../../src/config/gateway-config.ts";
import { execute, expectStatus, makeAgent } from "../../../http/support/agents.ts";
import { startWorld, type World } from "../../../http/support/world.ts";

/** A request that reached a service. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Respond = (request: SeenRequest, response: ServerResponse) => void;

/** Somebody else's service on this machine, which is found under every name that ends in `.test`. */
export interface Service {
  readonly port: number;
  readonly requests: SeenRequest[];
  /** What is answered from now on; default `{"ok":true}`. */
  respond: Respond;
  /** The URL of a path on `api.shop.test`, or on another host. */
  url(path: string, host?: string): string;
}

export const okay: Respond = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
};

export async function startService(): Promise<Service> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const seen = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: await text(request),
    };
    requests.push(seen);
    service.respond(seen, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const service: Service = {
    port,
    requests,
    respond: okay,
    url: (path, host = "api.shop.test") => `http://${host}:${port}${path}`,
  };
  return service;
}

/** Names that end in `.test` are this machine, `private.example` is in a network that nobody opened, `public.example` in none. */
export const lookup: LookupFunction = (hostname, _options, callback) => {
  if (hostname.endsWith(".test")) return callback(null, [{ address: "127.0.0.1", family: 4 }]);
  if (hostname === "public.example") return callback(null, [{ address: "93.184.215.14", family: 4 }]);
  if (hostname === "private.example") return callback(null, [{ address: "10.0.0.1", family: 4 }]);
  callback(Object.assign(new Error("not found"), { code: "ENOTFOUND" }), []);
};

/** A gateway whose integration `shop` leads to a service, with its plan's figures out of the way. */
export interface NetworkWorld extends World {
  readonly service: Service;
  /** An agent that may use the network, with all primitives, `shop` and webhooks to `hooks.test`. */
  agent(definition?: Record<string, unknown>): Promise<Agent>;
  /** Sets a secret that goes to `api.shop.test` as a bearer, unless something else is said. */
  secret(name: string, value: string, rest?: Record<string, unknown>): Promise<void>;
  /** Runs one execution whose first turn makes these calls. */
  run(agent: Agent, calls: readonly ScriptedCall[], rest?: Partial<CreateExecution>): Promise<Ran>;
  /** The same with one call. */
  one(agent: Agent, name: string, parameters: JsonObject): Promise<ToolCallRecord>;
  callsOf(executionId: string): Promise<readonly ToolCallRecord[]>;
  attemptOf(call: ToolCallRecord): Promise<AttemptDetail>;
}

export interface ScriptedCall {
  readonly name: string;
  readonly parameters: JsonObject;
}

export interface Ran {
  readonly execution: Execution;
  readonly calls: readonly ToolCallRecord[];
}

export const TOKEN = "sk-planted-0123456789abcdef";

const PRIMITIVES = ["api_call", "http_get", "http_post", "webhook"].map((builtin) => ({ builtin }));
const ROOMY = { callsPerExecution: 1_000, callsPerMinute: 1_000 };

/** Starts a world that lives as long as the tests of its file. */
export async function startNetworkWorld(config: Partial<GatewayConfig> = {}): Promise<NetworkWorld> {
  const service = await startService();
  const world = await startWorld({ lookup, plans: { standard: ROOMY }, ...config });
  afterAll(() => world.stop());
  const shop = {
    name: "shop",
    allowedDomains: ["api.shop.test", "private.example", "public.example", "*.unknown.example"],
  };
  expectStatus(await world.call("createIntegration", { body: { ...shop, ports: [service.port, 443] } }), 201);

  async function callsOf(executionId: string): Promise<readonly ToolCallRecord[]> {
    const query = { limit: "200" };
    const { body } = await world.call("listToolCalls", { params: { id: executionId }, query });
    return pageSchema(toolCallRecordSchema).parse(body).data;
  }

  async function run(agent: Agent, calls: readonly ScriptedCall[], rest: Partial<CreateExecution> = {}): Promise<Ran> {
    const script = { turns: [{ toolCalls: [...calls] }, { text: "done" }] };
    const execution = await execute(world, agent.id, { input: "go", script, ...rest });
    return { execution, calls: await callsOf(execution.id) };
  }

  return {
    ...world,
    service,
    run,
    callsOf,
    agent: (definition = {}) =>
      makeAgent(world, {
        tools: PRIMITIVES,
        integrations: ["shop", "webhook"],
        webhookUrls: [service.url("/hook", "hooks.test")],
        policy: { network: true },
        ...definition,
      }),
    async secret(name, value, rest = {}) {
      const body = { value, auth: { type: "bearer" }, hosts: ["api.shop.test"], ...rest };
      expectStatus(await world.call("putSecret", { params: { name }, body }), 200);
    },
    async one(agent, name, parameters) {
      const { calls } = await run(agent, [{ name, parameters }]);
      const [call] = calls;
      if (call === undefined) throw new Error("expected a call");
      return call;
    },
    async attemptOf({ attempts }) {
      const params = { id: attempts.at(-1)?.id ?? "" };
      return attemptDetailSchema.parse(expectStatus(await world.call("getAttempt", { params }), 200));
    },
  };
}
