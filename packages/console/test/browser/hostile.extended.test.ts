import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { calls, startRawService, toolAt } from "../../../../test/e2e/support/services.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openFilledWorld } from "./filled-world.ts";
import { openConsole } from "./open-console.ts";
import { PAGES } from "./page-registry.ts";

const executablePath = findChromium();
const HTML = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const HOSTILE = `${HTML} \u202Egnp.exe \u001b[31mred [link](javascript:alert(3))`;
const LONG_LINE = 500_000;
const PLANTED = "planted-value-3f9a1c77d2";

describe.skipIf(executablePath === undefined)("what strangers wrote", () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  it("is text on every page, and secrets are on none", { timeout: 240_000 }, async () => {
    const { world, ids } = await openFilledWorld();
    const { client } = world;
    const result = { text: HOSTILE, long: "a".repeat(LONG_LINE), ["__proto__"]: { polluted: true }, constructor: 1 };
    const service = await startRawService((response) => {
      response.type("json").send(JSON.stringify({ result }).replace('"text"', '"__proto__":{"polluted":true},"text"'));
    });
    await fetch(`${world.url}/v1/secrets/PLANTED_KEY`, {
      method: "PUT",
      headers: { authorization: `Bearer ${world.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ value: PLANTED, auth: { type: "bearer" }, hosts: ["api.example.com"] }),
    });
    const description = `Look up ${HTML}`;
    const tool = toolAt(service.url, { description, sideEffect: "read_only", trusted: false });
    const agent = await world.createAgent([tool], { name: `Desk ${HOSTILE}`, systemPrompt: HOSTILE });
    const turns = [calls("lookup_order"), { text: HOSTILE }];
    const execution = await client.agents.execute(agent.id, { input: HOSTILE, script: { turns } });
    const { data } = await client.executions.toolCalls(execution.id).page();
    const hostileIds = { ...ids, executionId: execution.id, toolCallId: data[0]?.id ?? "", agentId: agent.id };
    const { page, open, expectClean } = await openConsole(browser, world);
    const leaks: string[] = [];
    const look = (where: string, text: string) => {
      for (const secret of [PLANTED, world.secret, world.apiKey]) if (text.includes(secret)) leaks.push(where);
    };
    page.on("response", async (response) => {
      if (!response.url().includes("/v1/events")) look(response.url(), await response.text().catch(() => ""));
    });
    for (const { name, path } of PAGES) {
      await open(path(hostileIds));
      await page.locator('main [data-state="ready"]').first().waitFor();
      expect(await page.locator("main img, main script, main a[href^='javascript']").count(), name).toBe(0);
      look(name, await page.content());
    }
    for (const tab of ["conversation", "events", "usage", "receipt"]) {
      await open(`executions/${execution.id}?tab=${tab}`);
      await page.locator('main [data-state="ready"]').first().waitFor();
      expect(await page.locator("main img, main script").count(), tab).toBe(0);
      look(tab, await page.content());
    }
    look(
      "storage",
      await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"),
    );
    expect(await page.evaluate("({}).polluted")).toBeUndefined();
    expect(leaks).toEqual([]);
    expectClean();
  });
});
