import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openFilledWorld } from "./filled-world.ts";
import { largeExecution } from "./large-execution.ts";
import { openConsole } from "./open-console.ts";

const executablePath = findChromium();
const EVENTS = 10_000;
const zoomOf = (page: Page) => new URL(page.url()).searchParams.get("zoom");
const lengthOf = (zoom: string | null) => {
  const [from = 0, to = 0] = (zoom ?? "").split("-").map(Number);
  return to - from;
};

describe.skipIf(executablePath === undefined)("the timeline of a long execution", { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  async function openTimeline(search = "") {
    const { world, ids } = await openFilledWorld();
    const opened = await openConsole(browser, world);
    await opened.page.route(/exec_\w+\/events$/, (route) =>
      route.fulfill({ contentType: "text/event-stream", body: largeExecution(ids.executionId, EVENTS) }),
    );
    await opened.open(`executions/${ids.executionId}${search}`);
    await opened.page.getByRole("row", { name: /Turn 1 / }).waitFor();
    return { ...opened, zoom: opened.page.getByRole("group", { name: "Zoom" }) };
  }

  it("is zoomed, moved and shown whole with the keyboard, and its address keeps the part", async () => {
    const { page, zoom, expectClean, expectAccessible } = await openTimeline();
    expect(await zoom.getByRole("button", { name: "Zoom out" }).isDisabled()).toBe(true);
    await page
      .getByRole("row", { name: /attempt 1/ })
      .first()
      .click();
    await page.keyboard.press("z");
    await expect.poll(() => zoomOf(page)).toMatch(/^\d+-\d+$/);
    const row = zoomOf(page);
    expect(lengthOf(row)).toBeLessThan(100);
    // The second turn is later than what is shown; its number is still in its row.
    await page
      .getByRole("row", { name: /Turn 2 .*after what is shown/ })
      .first()
      .waitFor();
    await expectAccessible();

    await page.keyboard.press("-");
    await expect.poll(() => lengthOf(zoomOf(page))).toBeGreaterThan(lengthOf(row));
    await page.keyboard.press("0");
    await expect.poll(() => zoomOf(page)).toBeNull();
    await page.keyboard.press("+");
    await expect.poll(() => zoomOf(page)).not.toBeNull();
    const half = zoomOf(page);
    await page.keyboard.press("]");
    await expect.poll(() => zoomOf(page)).not.toBe(half);
    expect(Math.abs(lengthOf(zoomOf(page)) - lengthOf(half))).toBeLessThanOrEqual(2);
    await page.keyboard.press("[");
    await expect.poll(() => zoomOf(page)).toBe(half);

    await page.reload();
    await page
      .getByRole("status")
      .filter({ hasText: /^Shows 0 ms to / })
      .waitFor();
    // Tab reaches the same buttons.
    await zoom.getByRole("button", { name: "Fit" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => zoomOf(page)).toBeNull();
    expectClean();
  });

  it("is zoomed by dragging across its times", async () => {
    const { page, expectClean } = await openTimeline();
    const box = await page.getByRole("columnheader", { name: "Time" }).boundingBox();
    const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
    await page.mouse.move(x + width * 0.75, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.25, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => zoomOf(page)).not.toBeNull();
    // The execution of 10,000 events lasts 10,000 × 37 ms.
    expect(lengthOf(zoomOf(page)) / (EVENTS * 37)).toBeCloseTo(0.5, 1);
    await page.mouse.dblclick(x + width / 2, y + height / 2);
    await expect.poll(() => zoomOf(page)).toBeNull();
    expectClean();
  });

  it("is folded and filtered, and draws only the rows near the window", async () => {
    const { page, expectClean } = await openTimeline();
    const grid = page.getByRole("treegrid", { name: "Timeline" });
    const count = async () => Number(await grid.getAttribute("aria-rowcount")) - 1;
    const all = await count();
    expect(all).toBeGreaterThan(EVENTS / 3);
    expect(await page.locator("[id^=row-]").count()).toBeLessThan(60);
    await page.getByRole("button", { name: "Show 1 levels" }).click();
    await expect.poll(count).toBe(all / 4);
    await page.getByRole("row", { name: /Turn 1 / }).click();
    await page.locator('[role=row][aria-selected="true"]').waitFor();
    await page.keyboard.press("ArrowRight");
    await expect.poll(count).toBe(all / 4 + 1);
    await page.getByRole("button", { name: "Show 3 levels" }).click();
    await expect.poll(count).toBe(all);
    await page.keyboard.press("f");
    // Of each turn, the call, and of its two attempts the one that failed.
    await expect.poll(count).toBe((all / 4) * 3);
    expect(new URL(page.url()).searchParams.get("show")).toBe("failed");
    expectClean();
  });

  it("ignores a part in the address that it cannot read", async () => {
    const { page, zoom, expectClean } = await openTimeline("?zoom=9-<script>");
    await page.getByRole("row", { name: /Turn 2 / }).waitFor();
    expect(await zoom.getByRole("button", { name: "Fit" }).isDisabled()).toBe(true);
    expectClean();
  });
});
