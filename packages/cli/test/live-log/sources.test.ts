import { Yagate } from "@yagate/client";
import { expect, it } from "vitest";
import { startListening } from "../support/command.ts";
import { makeFolder } from "../support/folder.ts";
import { runCheck } from "../support/run-check.ts";
import { SECRET } from "../support/signed-request.ts";
import { cancelOrder, lookupOrder, startChangingHandler } from "../support/source-world.ts";

const API_KEY = "yk_0123456789abcdef0123456789abcdef";

it("yagate dev follows the tools of a handler on this machine", { timeout: 60_000 }, async () => {
  const dev = await startListening(["dev", "--port", "0", "--no-demo"], {
    cwd: await makeFolder(),
    env: { YAGATE_API_KEY: API_KEY, YAGATE_SIGNING_SECRET: SECRET },
  });
  const handler = await startChangingHandler([lookupOrder()]);
  const env = { YAGATE_BASE_URL: dev.url, YAGATE_API_KEY: API_KEY };
  const added = await runCheck(["sources", "add", handler.url], { env });
  expect(added).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /\n\ntools\.lookup_order · accepted · read_only\n {2}Look up an order by its number\.\n\ntools: 1 tool\.\n$/,
    ),
  });
  await dev.until(/ src_\w{26} ✓ tool source tools: added tools\.lookup_order\n/);

  const denied = await fetch(`${dev.url}/v1/agents/agt_01jd3v0c8me9kxt3f6r2p5q7sa?token=secret`);
  expect(denied.status).toBe(401);
  await fetch(`${dev.url}/favicon.ico`);
  const path = "/v1/agents/agt_01jd3v0c8me9kxt3f6r2p5q7sa";
  await dev.until(new RegExp(`^\\d\\d:\\d\\d:\\d\\d request ✕ GET ${path} → 401 UNAUTHENTICATED: .+\\n`, "m"));
  expect(dev.output()).not.toContain("favicon");

  const client = new Yagate({ baseUrl: dev.url, apiKey: API_KEY });
  const agent = await client.agents.create({ name: "Desk", model: "scripted/turns", tools: [{ source: "tools" }] });
  handler.tools = [lookupOrder("Find an order."), cancelOrder()];
  await dev.until(/✓ tool source tools: added tools\.cancel_order; changed tools\.lookup_order \(description\)\n/);
  const call = { name: "tools.cancel_order", parameters: { orderId: "ORD-7" } };
  const execution = await client.agents.execute(agent.id, {
    ...{ input: "Cancel it.", script: { turns: [{ toolCalls: [call] }, { text: "Done." }] } },
  });
  expect(execution.toolCalls).toMatchObject([{ name: "tools.cancel_order", status: "completed" }]);
  handler.tools = [lookupOrder("Find an order.")];
  await dev.until(/✓ tool source tools: removed tools\.cancel_order\n/);

  await runCheck(["sources", "update", "tools", "--on-change", "hold"], { env });
  handler.tools = [lookupOrder()];
  await dev.until(
    /tool source tools: changed tools\.lookup_order \(description\)\n +tools\.lookup_order waiting to be accepted: .* sources diff tools\n +To accept: .* sources accept tools tools\.lookup_order\n/,
  );
  // Another change of the same field is another line.
  handler.tools = [lookupOrder("Look at an order.")];
  await dev.until(/(?:changed tools\.lookup_order \(description\)\n +tools\.lookup_order waiting[\s\S]*){2}/);
  await client.agents.execute(agent.id, { input: "Look.", script: { turns: [{ text: "Done." }] } });
  await dev.until(
    /Desk starts: "Look\."\n +1 held tool is not available to the agent: tools\.lookup_order\. To review: .* sources diff tools\n/,
  );
});
