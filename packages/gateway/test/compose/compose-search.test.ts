import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { builtinContext } from "../../../builtins/test/builtin-context.ts";
import { SERVICE_EXAMPLES } from "../../../builtins/test/search/providers/service-examples.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { makeTemporaryDirectory } from "../../../store/test/support/temporary-directory.ts";
import { composeBuiltins } from "../../src/compose/compose-builtins.ts";
import { createGatewayContext } from "../../src/compose/gateway-context.ts";
import { completeConfig } from "../../src/config/gateway-config.ts";

const API_KEY = "yk_test_0123456789abcdef0123456789abcdef";

it.each(SERVICE_EXAMPLES.map((example) => [example.name, example] as const))(
  "%s may be at a private IP address that the operator configured for it",
  async (provider, example) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(example.answer));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const directory = await makeTemporaryDirectory();
    const store = await openSqliteStore({ dataDir: directory.path });
    const search = example.settings(`http://127.0.0.1:${port}`);
    const composed = await composeBuiltins(
      createGatewayContext(completeConfig({ dataDir: directory.path, apiKey: API_KEY, logLevel: "silent", search })),
      { store, egress: { operatorPolicy: {}, tenantPolicy: {} } },
    );
    onTestFinished(async () => {
      await composed.close();
      await store.close();
      await directory.remove();
      server.close();
    });
    const configured = composed.builtins.get("web_search")?.configure?.({ fetchPages: 0 });
    if (configured === undefined || !("tool" in configured)) throw new Error("expected a configured web_search");
    const context = builtinContext({ now: Date.now, deadline: Date.now() + 10_000 });
    expect(await configured.tool.execute({ query: "heat pumps" }, context)).toMatchObject({
      result: { provider, providers: [{ provider, outcome: "answered" }] },
    });
  },
);
