import { executionSchema, pageSchema } from "@yagate/protocol";
import { calling, execute, makeAgent, saying, start } from "../agents.ts";
import { startHandler, workTool } from "../handler.ts";
import { startWorld } from "../world.ts";
import { type FuzzOptions, type FuzzRun, fuzzApi } from "./fuzz-api.ts";

/** A gateway with some of everything, on which a run is made; it is gone afterwards. */
export async function fuzzedGateway(options: Pick<FuzzOptions, "requests" | "seed">): Promise<FuzzRun> {
  const world = await startWorld({
    logLevel: "silent",
    // Made names must not be asked of the machine's resolver.
    lookup: (_name, _options, answer) => answer(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []),
  });
  try {
    const working = await startHandler({ body: { result: "x".repeat(60_000) } });
    const failing = await startHandler({ status: 503, body: undefined });
    const tools = [workTool(working.url), workTool(failing.url, { name: "fail" })];
    const agent = await makeAgent(world, { tools });
    const asking = await makeAgent(world, { tools, policy: { approval: "always" } });
    await execute(world, agent.id, saying("hi"));
    await execute(world, agent.id, calling("work"));
    await start(world, agent.id, calling("fail", { fallback: { waitMs: 600_000 } }));
    await start(world, asking.id, calling("work"));
    const definition = workTool(working.url, { name: "saved_work" });
    const rest = { rest: { name: "saved_rest", description: "Reads.", method: "GET", url: "https://api.example/x" } };
    const made = [
      await world.call("createTool", { body: { definition } }),
      await world.call("createTool", { body: { definition: rest } }),
      await world.call("createToolkit", { body: { name: "Kit", provider: "shop" } }),
      await world.call("createIntegration", { body: { name: "shop", allowedDomains: ["shop.example"] } }),
      await world.call("putSecret", { params: { name: "SHOP_KEY" }, body: { value: "secret of the shop" } }),
    ];
    const lists = ["listExecutions", "listAgents", "listApprovals", "listEndpoints", "listApiKeys", "listWorkspaces"];
    for (const name of lists) made.push(await world.call(name));
    for (const { id } of idsOf(made[5]?.body)) made.push(await world.call("listToolCalls", { params: { id } }));
    const keys = [null, "yk_wrong", (await world.makeKey(["executions"])).text, (await world.makeKey(["tools"])).text];
    return await fuzzApi(world, { url: world.url, ...options, keys, known: made.map(({ body }) => body) });
  } finally {
    await world.stop();
  }
}

function idsOf(page: unknown): readonly { readonly id: string }[] {
  return pageSchema(executionSchema).parse(page).data;
}
