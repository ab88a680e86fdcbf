import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { calls, startRawService, toolAt } from "../../../../test/e2e/support/services.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openConsoleWorld } from "./open-console.ts";

const executablePath = findChromium();
const MOST_TABS = 80;

/** Whether the focused element, or the row around it, has a ring that can be seen. */
const FOCUS_IS_VISIBLE = `(() => {
  const ring = (element) => element !== null && getComputedStyle(element).outlineStyle !== "none";
  const focused = document.activeElement;
  return focused === document.body || focused.id === "main" || ring(focused) || ring(focused.closest("tr, [role=row]"));
})()`;

/** Goes forward with Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  for (let step = 0; step < MOST_TABS; step += 1) {
    if ((await target.first().and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
    expect(await page.evaluate(FOCUS_IS_VISIBLE)).toBe(true);
  }
  throw new Error("Tab does not reach it");
}

/** Opens a page by its name in the palette. */
async function find(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Find/ }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

describe.skipIf(executablePath === undefined)("with the keyboard alone, a person", () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  it("signs in, finds a failed call, reads its response, redelivers it, and approves another", async () => {
    const world = await openConsoleWorld({ allowSelfApproval: true });
    const { client } = world;
    const service = await startRawService((response, _call, count) => {
      if (count === 1)
        response.status(422).json({ error: { code: "NO_SUCH_ORDER", message: "there is no such order" } });
      else response.json({ result: { status: "packed" } });
    });
    const lookup = toolAt(service.url, { sideEffect: "read_only", retries: 0 });
    const refund = toolAt(service.url, { name: "refund", approval: "always", sideEffect: "non_idempotent_write" });
    const agent = await world.createAgent([lookup, refund]);
    await client.agents.execute(agent.id, {
      input: "Where is ORD-1?",
      script: { turns: [calls("lookup_order"), { text: "unknown" }] },
    });
    const { id } = await client.agents.start(agent.id, {
      input: "Refund ORD-1",
      script: { turns: [calls("refund"), { text: "refunded" }] },
    });
    await expect.poll(async () => (await client.approvals.list({ status: "pending" }).page()).data.length).toBe(1);

    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${world.url}/console/`);
    await tabTo(page, page.getByLabel("API key"));
    await page.keyboard.type(world.apiKey);
    await page.keyboard.press("Enter");

    // The start page names the failure.
    await tabTo(page, page.getByRole("link", { name: "NO_SUCH_ORDER" }));
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Body of the response" }).getByText("there is no such order").waitFor();
    await tabTo(page, page.getByRole("button", { name: "Redeliver…" }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("button", { name: "Redeliver call" }));
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("completed").waitFor();
    await page.keyboard.press("Escape");
    expect(service.calls).toHaveLength(2);

    await find(page, "Approvals");
    await tabTo(page, page.getByRole("button", { name: "Approve", exact: true }));
    await page.keyboard.press("Enter");
    await page.getByText("Nothing is waiting for a person").waitFor();
    expect((await client.executions.events(id).result()).status).toBe("completed");

    // Rows: down, open, and back.
    await find(page, "Executions");
    await page.getByRole("link", { name: "Refund ORD-1" }).waitFor();
    await page.keyboard.press("j");
    expect(await page.evaluate(FOCUS_IS_VISIBLE)).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Refund ORD-1" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  });
});
