import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { startAskingServer } from "../../../mcp/test/client/support/asking-server.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openConsole, openConsoleWorld } from "./open-console.ts";

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)("the questions of a tool", () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  it("are answered on the page of approvals, and the call completes", async () => {
    const world = await openConsoleWorld();
    const { client } = world;
    const server = await startAskingServer();
    const source = await client.sources.create({ kind: "mcp", name: "painter", url: server.url, accept: "all" });
    const name = source.tools?.find((tool) => tool.name === "paint")?.toolName ?? "";
    const agent = await world.createAgent([{ source: source.id }], { policy: { network: true, approval: "never" } });
    const turns = [{ toolCalls: [{ name, parameters: {} }] }, { text: "done" }];
    const { id } = await client.agents.start(agent.id, { input: "Paint it.", script: { turns } });
    const { page, open, expectClean, expectAccessible } = await openConsole(browser, world);
    await open("approvals");
    const card = page.getByRole("article", { name });
    await card.getByText("Which colour?").waitFor();
    await expectAccessible();
    await card.getByLabel("Colour").selectOption("green");
    await card.getByRole("button", { name: "Answer" }).click();
    await card.waitFor({ state: "detached" });
    expect((await client.executions.events(id).result()).status).toBe("completed");
    expect(server.painted).toEqual([{ colour: { action: "accept", content: { colour: "green" } } }]);
    expectClean();
  });
});
