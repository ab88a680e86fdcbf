import { describe, expect, it } from "vitest";
import { clientOf } from "../support/client-of.ts";
import { agentRecord } from "../support/records.ts";
import { json, problem, type Responder, startScriptedGateway } from "../support/scripted-gateway.ts";

const pages: Record<string, { ids: string[]; next: string | null }> = {
  first: { ids: ["agt_1", "agt_2"], next: "c2" },
  c2: { ids: [], next: "c3" },
  c3: { ids: ["agt_3"], next: null },
};

const threePages: Responder = (response, request) => {
  const cursor = new URL(request.url, "http://gateway").searchParams.get("cursor") ?? "first";
  const page = pages[cursor] ?? { ids: [], next: null };
  json(200, { data: page.ids.map((id) => agentRecord({ id })), nextCursor: page.next })(response, request);
};

async function start(responder: Responder | Responder[] = threePages) {
  const gateway = await startScriptedGateway({ "GET /v1/agents": responder });
  return { gateway, client: clientOf(gateway) };
}

describe("a list", () => {
  it("gives all items of all pages, each page requested when it is needed", async () => {
    const { gateway, client } = await start();
    const seen: [string, number][] = [];
    for await (const agent of client.agents.list()) seen.push([agent.id, gateway.seen.length]);

    expect(seen).toEqual([
      ["agt_1", 1],
      ["agt_2", 1],
      ["agt_3", 3],
    ]);
    expect(gateway.seen.map((request) => request.url)).toEqual([
      "/v1/agents",
      "/v1/agents?cursor=c2",
      "/v1/agents?cursor=c3",
    ]);
  });

  it("asks for nothing until it is read, and for no page after the loop was left", async () => {
    const { gateway, client } = await start();
    const list = client.agents.list();
    expect(gateway.seen).toHaveLength(0);

    for await (const _agent of list) break;
    expect(gateway.seen).toHaveLength(1);
  });

  it("gives one page, with the cursor of the next", async () => {
    const { gateway, client } = await start();
    const page = await client.agents.list({ limit: 2 }).page();
    expect(page).toMatchObject({ data: [{ id: "agt_1" }, { id: "agt_2" }], nextCursor: "c2" });

    const last = await client.agents.list({ limit: 2, cursor: "c3" }).page();
    expect(last).toMatchObject({ data: [{ id: "agt_3" }], nextCursor: null });
    expect(gateway.seen.map((request) => request.url)).toEqual(["/v1/agents?limit=2", "/v1/agents?limit=2&cursor=c3"]);
  });

  it("gives pages, and all items at once, as often as asked", async () => {
    const { client } = await start();
    const list = client.agents.list();
    const sizes: number[] = [];
    for await (const page of list.pages()) sizes.push(page.data.length);

    expect(sizes).toEqual([2, 0, 1]);
    expect((await list.toArray()).map((agent) => agent.id)).toEqual(["agt_1", "agt_2", "agt_3"]);
  });

  it("fails where a page fails", async () => {
    const { client } = await start([threePages, problem(403, "FORBIDDEN")]);
    await expect(client.agents.list().toArray()).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("ends with an error when a page leads back to itself", async () => {
    const { client } = await start(json(200, { data: [], nextCursor: "again" }));
    await expect(client.agents.list().toArray()).rejects.toMatchObject({ code: "INVALID_RESPONSE" });
  });
});
