import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import { execute, expectStatus, makeAgent } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

async function startListeningProvider() {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no"}}');
  });
  const origin = await listenOnLoopback(server);
  return { origin, paths };
}

it.each(["the operator's key", "the workspace's key"])(
  "a model name leads to no path outside of the base URL with %s",
  async (whose) => {
    const { origin, paths } = await startListeningProvider();
    const apiKey = whose === "the operator's key" ? { apiKey: "sk-of-the-operator" } : {};
    const world = await startWorld({ providers: { google: { ...apiKey, baseUrl: `${origin}/team-a/v1beta` } } });
    onTestFinished(() => world.stop());
    if (whose === "the workspace's key") {
      const body = { value: "sk-of-the-workspace" };
      expectStatus(await world.call("putSecret", { params: { name: "KEY" }, body }), 200);
      const provider = { apiKey: "workspace-secret://KEY" };
      expectStatus(await world.call("putProvider", { params: { name: "google" }, body: provider }), 200);
    }
    const errorOf = async (model: string) => {
      const { id } = await makeAgent(world, { model });
      return (await execute(world, id, { input: "hello" })).error;
    };
    for (const model of ["google/../../admin", "google/../../team-b/v1beta/m", "google/../../team-a/v1beta-2/m"]) {
      const message =
        "expected a model name that does not leave the path of the provider's base URL; the request was not sent";
      expect(await errorOf(model)).toEqual({ code: "MODEL_ERROR", message });
    }
    expect(paths).toEqual([]);
    await errorOf("google/tunedModels/mine");
    expect(paths).toEqual(["/team-a/v1beta/tunedModels/mine:generateContent"]);
  },
);
