import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { calls, startRawService, toolAt } from "../../../../test/e2e/support/services.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openFilledWorld } from "./filled-world.ts";
import { noteFigures } from "./note-figures.ts";
import { openConsole } from "./open-console.ts";
import { PAGES } from "./page-registry.ts";

const executablePath = findChromium();
const HTML = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const HOSTILE = `${HTML} \u202Egnp.exe \u001b[31mred [link](javascript:alert(3))`;
/** Nearly as much as a handler may respond. */
const LONG_LINE = 490_000;
/** A line that other parts of the system might let through. */
const HUGE_LINE = 5_000_000;
const HUGE_MS = 500;
/** The tests that run beside this one slow the browser down. */
const BUSY_TIMES = 4;
const TRIES = 3;
/** Records when the page was drawn, in ms after the last byte of what it shows. */
const DRAWN = `new MutationObserver((_records, observer) => {
  if (document.querySelector("#main [data-state=ready]") === null) return;
  observer.disconnect();
  requestAnimationFrame(() => { window.drawnAt = performance.now(); });
}).observe(document, { childList: true, subtree: true });`;
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

  it("is drawn within half a second, even if it is a line of 5 MB", { timeout: 240_000 }, async () => {
    const { world, ids } = await openFilledWorld();
    const { page, open, expectClean } = await openConsole(browser, world);
    await page.addInitScript(DRAWN);
    const huge = { text: `${HOSTILE}${"a".repeat(HUGE_LINE)}` };
    const authorized = { headers: { authorization: `Bearer ${world.apiKey}` } };
    const response = await fetch(`${world.url}/v1/tool-calls/${ids.toolCallId}`, authorized);
    const call = (await response.json()) as Readonly<Record<string, unknown>>;
    const event = (seq: number, fields: Readonly<Record<string, unknown>>) => {
      const at = new Date(Date.UTC(2026, 0, 15, 9, 0, seq)).toISOString();
      return `id: ${seq}\ndata: ${JSON.stringify({ seq, at, executionId: ids.executionId, ...fields })}\n\n`;
    };
    const toolCallId = ids.toolCallId;
    const events = [
      event(1, { type: "execution.started", input: "Where is it?", agentId: ids.agentId, agentVersion: 1, limits: {} }),
      event(2, { type: "model.requested", turn: 1, attempt: 1, model: "scripted/turns" }),
      event(3, { type: "tool_call.requested", toolCallId, turn: 1, name: "lookup", kind: "handler", parameters: huge }),
      event(4, { type: "tool_call.completed", toolCallId, result: huge, cost: { usd: 0, credits: 0 } }),
      event(5, { type: "execution.cancelled" }),
    ];
    await page.route(/\/v1\/tool-calls\/tc_\w+$/, (route) =>
      route.fulfill({ json: { ...call, parameters: huge, result: huge } }),
    );
    await page.route(/exec_\w+\/events$/, (route) =>
      route.fulfill({ contentType: "text/event-stream", body: events.join("") }),
    );
    const paths = [
      [`tool-calls/${toolCallId}`, /tool-calls\/tc_\w+$/],
      ...["timeline", "conversation", "events"].map(
        (tab) => [`executions/${ids.executionId}?tab=${tab}`, /exec_\w+\/events$/] as const,
      ),
    ] as const;
    for (const [path, resource] of paths) {
      let best = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        await open(path);
        await expect.poll(() => page.evaluate("window.drawnAt !== undefined"), { interval: 50 }).toBe(true);
        // A hint may have made the page read again since.
        const took: number = await page.evaluate(
          `window.drawnAt - performance.getEntriesByType("resource").findLast(({ name, responseEnd }) => ${resource}.test(name) && responseEnd <= window.drawnAt).responseEnd`,
        );
        best = Math.min(best, took);
      }
      noteFigures(`5 MB line, ${path.replace(/\w+_\w+/, "…")}`, { best });
      expect(best, path).toBeGreaterThan(0);
      expect(best, path).toBeLessThanOrEqual(HUGE_MS * BUSY_TIMES);
      expect(await page.locator("main img, main script").count(), path).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path).toBe(true);
    }
    expectClean();
  });
});
