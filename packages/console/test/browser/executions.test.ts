import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { calls, startRawService, toolAt } from "../../../../test/e2e/support/services.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openConsole, openConsoleWorld } from "./open-console.ts";

const executablePath = findChromium();
const HOSTILE = '<img src=x onerror="alert(1)"> \u202Egnp.exe';

describe.skipIf(executablePath === undefined)("the console", () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  it("shows what an execution did, attempt by attempt, and cancels it", async () => {
    const world = await openConsoleWorld();
    const { client } = world;
    const failing = await startRawService((response, _call, count) => {
      if (count === 1) response.status(503).json({ error: { code: "BUSY", message: "the service is busy" } });
      else if (count === 2) response.json({ result: { text: HOSTILE } });
    });
    const tool = toolAt(failing.url, { sideEffect: "read_only", timeout: 60_000, retries: 1 });
    const agent = await world.createAgent([tool]);
    const start = (input: string, names: readonly string[]) =>
      client.agents.start(agent.id, { input, script: { turns: [calls(...names), { text: `Said ${HOSTILE}` }] } });
    const { id } = await start(`Where is ${HOSTILE}?`, ["lookup_order"]);
    await client.executions.events(id).result();
    const { page, open, expectClean, expectAccessible } = await openConsole(browser, world);

    // The list, and one row of it that arrives while it is read.
    await open("executions");
    const row = page.getByRole("row").filter({ hasText: "Where is" });
    await row.getByText("Completed").waitFor();
    expect(await row.innerText()).toContain("U+202E");
    await expectAccessible();
    const { id: held } = await start("Held", ["lookup_order"]);
    await page.getByRole("button", { name: "1 new" }).click();
    await page.getByRole("link", { name: "Held" }).waitFor();

    // The filters are the address.
    await page.getByLabel("Status").selectOption("completed");
    await page.waitForURL(/status=completed/);
    await page.getByRole("link", { name: "Held" }).waitFor({ state: "detached" });
    // In a list of choices, letters choose.
    await page.getByRole("heading", { name: "Executions" }).click();
    await page.keyboard.press("f");
    await page.getByRole("heading", { name: "No execution matches" }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();

    // The execution, its attempts, and the exact exchange.
    await page.getByRole("link", { name: "Where is" }).click();
    await page.getByRole("row", { name: /attempt 1.*503/ }).waitFor();
    await page.getByRole("row", { name: /attempt 2.*200/ }).click();
    const panel = page.getByRole("region", { name: "Attempt 2" });
    await panel.getByText("webhook-id").waitFor();
    expect(await panel.innerText()).toContain('<img src=x onerror=\\"alert(1)\\"> U+202Egnp.exe');
    await expectAccessible();
    for (const name of ["Conversation", "Events", "Usage", "Receipt"]) {
      await page.getByRole("link", { name }).click();
      await page.locator('main [data-state="ready"]').waitFor();
      await expectAccessible();
    }

    // Another one is cancelled.
    await open(`executions/${held}`);
    await page.getByRole("button", { name: "Cancel…" }).click();
    await page.getByRole("button", { name: "Cancel execution" }).click();
    await page.getByText("Cancelled").first().waitFor();
    expect(await client.executions.get(held)).toMatchObject({ status: "cancelled" });
    expectClean();
  });
});
