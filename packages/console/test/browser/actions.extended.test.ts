import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { calls, startRawService, toolAt } from "../../../../test/e2e/support/services.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openFilledWorld } from "./filled-world.ts";
import { openConsole } from "./open-console.ts";

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)("in the console, a person", { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  async function openPages() {
    const filled = await openFilledWorld();
    return { ...filled, ...(await openConsole(browser, filled.world)) };
  }

  it("makes an agent, tries it, changes it, and goes back to its first version", async () => {
    const { page, open, world, expectClean } = await openPages();
    await open("agents/new");
    await page.getByLabel("Name").fill("Calculator");
    await page.getByLabel("Model", { exact: true }).fill("not a model");
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByText("expected a model name").waitFor();
    await page.getByLabel("Model", { exact: true }).fill("scripted/keyword");
    await page.getByLabel("Add a tool").selectOption({ label: "Built in: calculator" });
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("heading", { level: 1, name: "Calculator" }).waitFor();

    await page.getByLabel("Input").fill("What is 2 + 2?");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("row", { name: /Turn 1/ }).waitFor();
    await page.getByRole("link", { name: /^Execution exec_/ }).waitFor();

    await page.getByRole("link", { name: "Form" }).click();
    await page.getByLabel("Description").fill("Adds numbers");
    await page.getByRole("group", { name: "What changes" }).getByText("Adds numbers").waitFor();
    await page.getByRole("button", { name: "Save version 2" }).click();
    await page.getByText("Version 2", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Versions" }).click();
    await page.getByRole("group", { name: "What changed" }).getByText("Adds numbers").waitFor();
    await page.getByRole("button", { name: "Version 1", exact: true }).click();
    await page.getByRole("button", { name: "Save as version 3" }).click();
    await page.getByText("Version 3", { exact: true }).waitFor();
    const { data } = await world.client.agents.list().page();
    expect(data.find(({ name }) => name === "Calculator")).toMatchObject({
      version: 3,
      tools: [{ builtin: "calculator" }],
    });
    expectClean();
  });

  it("sets, replaces and deletes a secret, and rotates a signing secret", async () => {
    const { page, open, world, expectClean } = await openPages();
    await open("secrets");
    await page.getByRole("button", { name: "Set a secret…" }).click();
    await page.getByLabel("Name").fill("SHOP_KEY");
    await page.getByLabel("Value").fill("a-value-that-is-long");
    await page.getByLabel("May be sent to").fill("shop.example.com, api.example.com");
    await page.getByRole("button", { name: "Set secret" }).click();
    await page.getByRole("button", { name: "SHOP_KEY", exact: true }).waitFor();
    expect(await page.content()).not.toContain("a-value-that-is-long");
    const { data } = await world.client.secrets.list().page();
    expect(data.find(({ name }) => name === "SHOP_KEY")).toMatchObject({
      auth: { type: "bearer" },
      hosts: ["shop.example.com", "api.example.com"],
    });
    await page.getByRole("button", { name: "Delete SHOP_KEY…" }).click();
    const remove = page.getByRole("button", { name: "Delete secret" });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel("Type SHOP_KEY").fill("SHOP_KEY");
    await remove.click();
    await page.getByRole("button", { name: "SHOP_KEY", exact: true }).waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Rotate…" }).click();
    await page.getByRole("button", { name: "Rotate secret" }).click();
    const value = await page.getByRole("group", { name: "The new signing secret" }).innerText();
    expect(value).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "Close, I have stored it" }).click();
    await page.getByText("Signs until").waitFor();
    expect(await page.content()).not.toContain(value);
    expectClean();
  });

  it("accepts what a source publishes after reading it", async () => {
    const { page, open, world, ids, expectClean } = await openPages();
    await open(`sources/${ids.sourceId}`);
    const change = page.getByRole("article", { name: "orders.get_order" });
    await change.getByText("https://api.example.com/v1/orders/{id}").waitFor();
    await change.getByRole("button", { name: "Accept definition" }).click();
    await change.waitFor({ state: "detached" });
    await page.getByText("Ready").waitFor();
    expect((await world.client.sources.get(ids.sourceId)).toolCounts).toMatchObject({ accepted: 1, held: 0 });
    expectClean();
  });

  it("makes a key, finds the change in the audit log, and deletes it", async () => {
    const { page, open, world, expectClean } = await openPages();
    await open("settings?tab=keys");
    await page.getByRole("button", { name: "Create a key…" }).click();
    await page.getByLabel("Name").fill("Anna");
    await page.getByLabel("approvals").check();
    await page.getByRole("button", { name: "Create key" }).click();
    expect(await page.getByRole("group", { name: "The API key" }).innerText()).toMatch(/^yk_/);
    await page.getByRole("button", { name: "Close, I have stored it" }).click();
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("button", { name: "api_key.created" }).first().click();
    await page.getByRole("group", { name: "What changed" }).getByText('"Anna"').waitFor();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Delete Anna…" }).click();
    await page.getByLabel("Type Anna").fill("Anna");
    await page.getByRole("button", { name: "Delete key" }).click();
    await page.getByRole("button", { name: "Delete Anna…" }).waitFor({ state: "detached" });
    const { data } = await world.client.apiKeys.list().page();
    expect(data.map(({ name }) => name)).not.toContain("Anna");
    expectClean();
  });

  it("writes a REST tool, tries it, and reads why its request failed", async () => {
    const { page, open, expectClean } = await openPages();
    await open("tools/new");
    const definition = page.getByLabel("Definition as JSON");
    const text = await definition.inputValue();
    // Port 9 accepts no connection.
    await definition.fill(text.replace("https://api.example.com", "https://127.0.0.1:9"));
    await page.getByRole("button", { name: "Create tool" }).click();
    await page.getByRole("button", { name: "Send test call" }).click();
    await page.getByRole("group", { name: "Error" }).getByText("message").waitFor();
    const shown = await page.locator("main").innerText();
    expect(shown).not.toMatch(/undefined|NaN/);
    expectClean();
  });

  it("finds all calls behind a failure of the start page, and opens one", async () => {
    const { page, open, world, expectClean } = await openPages();
    const body = { error: { code: "NO_STOCK", message: "none is left" } };
    const service = await startRawService((response) => void response.status(422).json(body));
    const agent = await world.createAgent([toolAt(service.url, { name: "reserve", approval: "never" })]);
    const turns = [calls("reserve"), calls("reserve"), { text: "done" }];
    await world.client.agents.execute(agent.id, { input: "Reserve one", script: { turns } });
    await open("");
    await page.getByText("2 calls").waitFor();
    await page.getByRole("link", { name: "NO_STOCK" }).click();
    await page.getByRole("heading", { level: 1, name: "Tool calls" }).waitFor();
    const rows = page
      .getByRole("table", { name: "Tool calls" })
      .getByRole("row", { name: /Failed.*reserve.*NO_STOCK/ });
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: "Remove the filter code: NO_STOCK" }).click();
    expect(new URL(page.url()).searchParams.get("code")).toBeNull();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /^reserve\(/ }).waitFor();
    // The call has ended: nothing about it is live.
    expect(await page.locator("main [data-live]").count()).toBe(0);
    expectClean();
  });

  it("replays an execution from a later turn, and sees what was copied", async () => {
    const { page, open, world, expectClean } = await openPages();
    const { data } = await world.client.executions.list({ status: "completed" }).page();
    const id = data[0]?.id ?? "";
    const replay = await world.client.executions.replay(id, { fromTurn: 2 });
    await open(`executions/${replay.id}`);
    await page.getByText("Turn 1 is copied from").waitFor();
    await page.getByText("Completed", { exact: true }).waitFor();
    await page.getByRole("row", { name: /Turn 1 copied/ }).waitFor();
    expect(await page.getByRole("row", { name: /Turn 2 copied/ }).count()).toBe(0);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("button", { name: "Copy as CLI" }).click();
    expectClean();
  });

  it("replays an execution that has ended", async () => {
    const { page, open, world, expectClean } = await openPages();
    const { data } = await world.client.executions.list({ status: "completed" }).page();
    const id = data[0]?.id ?? "";
    await open(`executions/${id}`);
    await page.getByRole("button", { name: "Replay…" }).click();
    await page.getByRole("button", { name: "Replay execution" }).click();
    await page.getByRole("link", { name: /^Replay of exec_/ }).waitFor();
    const [replay] = (await world.client.executions.list({ status: "completed" }).page()).data;
    expect(replay).toMatchObject({ replayOf: id });
    expectClean();
  });
});
