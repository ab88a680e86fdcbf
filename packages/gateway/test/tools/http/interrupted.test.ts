import { type Agent, type Execution, executionSchema, type JsonObject } from "@yagate/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { expectStatus, start } from "../../http/support/agents.ts";
import { startWorld } from "../../http/support/world.ts";
import { lookup, okay, startNetworkWorld } from "./support/network-world.ts";

const world = await startNetworkWorld();
const { service } = world;
const url = service.url("/orders");
const agent = await world.agent();

beforeEach(() => {
  service.requests.length = 0;
});

function begin(name: string, parameters: JsonObject, of: Agent = agent): Promise<Execution> {
  const script = { turns: [{ toolCalls: [{ name, parameters }] }, { text: "done" }] };
  return start(world, of.id, { input: "go", script });
}

describe("an execution that is cancelled", () => {
  it("ends a read that is on its way", async () => {
    service.respond = () => {};
    const { id } = await begin("http_get", { url });
    await expect.poll(() => service.requests).toHaveLength(1);
    await world.call("cancelExecution", { params: { id } });
    await (await world.open("followExecution", { params: { id } })).text();
    expect(await world.callsOf(id)).toMatchObject([{ status: "cancelled", attempts: [{ errorCode: "CANCELLED" }] }]);
  });

  it("waits for a write that is on its way, and records it", async () => {
    let release = () => {};
    service.respond = (request, response) => {
      release = () => okay(request, response);
    };
    const { id } = await begin("http_post", { url });
    await expect.poll(() => service.requests).toHaveLength(1);
    await world.call("cancelExecution", { params: { id } });
    release();
    await (await world.open("followExecution", { params: { id } })).text();
    expect(await world.callsOf(id)).toMatchObject([{ status: "completed", attempts: [{ httpStatus: 200 }] }]);
  });
});

describe("a gateway that stops while a request is on its way", () => {
  it("sends a read again, and says of a write that nobody knows", async () => {
    service.respond = () => {};
    const { id } = await start(world, agent.id, {
      input: "go",
      script: {
        turns: [
          {
            toolCalls: [
              { name: "http_get", parameters: { url } },
              { name: "http_post", parameters: { url, body: { amount: 1 } } },
            ],
          },
          { text: "done" },
        ],
      },
    });
    await expect.poll(() => service.requests).toHaveLength(2);
    await world.close();
    service.respond = okay;
    const next = await startWorld({ dataDir: world.dataDir, apiKey: world.key, lookup });
    try {
      await (await next.open("followExecution", { params: { id } })).text();
      const { body } = await next.call("listToolCalls", { params: { id } });
      expect(body).toMatchObject({
        data: [
          { name: "http_get", status: "completed", attempts: [{ number: 1 }, { number: 2, httpStatus: 200 }] },
          { name: "http_post", status: "failed", error: { code: "OUTCOME_UNKNOWN", outcome: "unknown" } },
        ],
      });
      expect(service.requests.map(({ method }) => method).toSorted()).toEqual(["GET", "GET", "POST"]);
      const ended = await next.call("getExecution", { params: { id } });
      expect(executionSchema.parse(expectStatus(ended, 200)).status).toBe("completed");
    } finally {
      await next.close();
    }
  });
});
