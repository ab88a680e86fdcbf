import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { builtinContext } from "../../../builtins/test/builtin-context.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { makeTemporaryDirectory } from "../../../store/test/support/temporary-directory.ts";
import { composeBuiltins } from "../../src/compose/compose-builtins.ts";
import { createGatewayContext } from "../../src/compose/gateway-context.ts";
import { completeConfig } from "../../src/config/gateway-config.ts";
import { packageVersion } from "../../src/package-version.ts";

const API_KEY = "yk_test_0123456789abcdef0123456789abcdef";

it("pages are read as Yagate, in the header and in the rules for robots", async () => {
  const userAgents: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    userAgents.push(request.headers["user-agent"]);
    const robots = "User-agent: *\nDisallow:\n\nUser-agent: Yagate\nDisallow: /private\n";
    response.writeHead(200, { "content-type": "text/plain" }).end(request.url === "/robots.txt" ? robots : "A page.");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const directory = await makeTemporaryDirectory();
  const store = await openSqliteStore({ dataDir: directory.path });
  const policy = { allowCidrs: ["127.0.0.0/8"] };
  const composed = await composeBuiltins(
    createGatewayContext(completeConfig({ dataDir: directory.path, apiKey: API_KEY, logLevel: "silent" })),
    { store, egress: { operatorPolicy: policy, tenantPolicy: policy } },
  );
  onTestFinished(async () => {
    await composed.close();
    await store.close();
    await directory.remove();
    server.close();
  });
  const urlFetch = composed.builtins.get("url_fetch");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const read = (path: string) =>
    urlFetch?.execute(
      { url: `http://127.0.0.1:${port}${path}`, respectRobots: true },
      builtinContext({ now: Date.now, deadline: Date.now() + 10_000 }),
    );
  expect(await read("/open")).toHaveProperty("result");
  expect(await read("/private")).toMatchObject({ error: { code: "URL_BLOCKED" } });
  expect(new Set(userAgents)).toEqual(new Set([`Yagate/${packageVersion()}`]));
});
