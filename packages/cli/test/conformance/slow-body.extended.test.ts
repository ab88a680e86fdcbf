import { createServer, type Server } from "node:http";
import { toFastify } from "@yagate/handler/fastify";
import { toNodeListener } from "@yagate/handler/node";
import fastify, { type FastifyHttpOptions } from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import { kitHandler } from "../support/kit-servers.ts";
import { runCheck } from "../support/run-check.ts";
import { SECRET } from "../support/signed-request.ts";

const TIME = 300;
const OFTEN = { connectionsCheckingInterval: 50 };

async function startFastify(options: FastifyHttpOptions<Server>): Promise<string> {
  const app = fastify({ ...options, forceCloseConnections: true });
  onTestFinished(() => app.close());
  app.register(toFastify(kitHandler(undefined)), { prefix: "/tools" });
  return `${await app.listen({ port: 0, host: "127.0.0.1" })}/tools`;
}

async function startNode(options: { requestTimeout: number; connectionsCheckingInterval?: number }): Promise<string> {
  const server = createServer(options, toNodeListener(kitHandler(undefined)));
  return `${await listenOnLoopback(server)}/`;
}

it.each<[string, () => Promise<string>, "pass" | "fail"]>([
  ["node:http with both options", () => startNode({ requestTimeout: TIME, ...OFTEN }), "pass"],
  ["node:http with requestTimeout alone", () => startNode({ requestTimeout: TIME }), "fail"],
  [
    "Fastify with headersTimeout as well",
    () => startFastify({ requestTimeout: TIME, http: { headersTimeout: TIME, ...OFTEN } }),
    "pass",
  ],
  ["Fastify without headersTimeout", () => startFastify({ requestTimeout: TIME, http: OFTEN }), "fail"],
  [
    "Fastify with a serverFactory",
    () =>
      startFastify({
        serverFactory: (listener) => createServer({ requestTimeout: TIME, ...OFTEN }, listener),
      }),
    "pass",
  ],
])("a body that never ends is cut as the pages say: %s", async (_name, start, outcome) => {
  const args = [
    "conformance",
    await start(),
    "--tool",
    "ping",
    "--only",
    "slow-body-cut",
    "--slow-body",
    "1.5",
    "--json",
  ];
  const { stdout } = await runCheck(args, { env: { YAGATE_SIGNING_SECRET: SECRET } });
  expect(JSON.parse(stdout).cases).toMatchObject([{ id: "slow-body-cut", outcome }]);
});

it("without --slow-body, a server that waits longer is not judged", async () => {
  const url = await startNode({ requestTimeout: 60_000 });
  const args = ["conformance", url, "--tool", "ping", "--only", "slow-body-cut", "--json"];
  const { stdout } = await runCheck(args, { env: { YAGATE_SIGNING_SECRET: SECRET } });
  expect(JSON.parse(stdout).cases).toMatchObject([
    { id: "slow-body-cut", outcome: "not-judged", reason: expect.stringContaining("it was still reading after 5 s") },
  ]);
});
