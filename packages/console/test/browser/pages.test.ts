import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openFilledWorld } from "./filled-world.ts";
import { openConsole } from "./open-console.ts";
import { PAGES } from "./page-registry.ts";

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)("the pages", () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  it("show what there is, with a title and one heading, and fit a narrow window", { timeout: 120_000 }, async () => {
    const { world, ids } = await openFilledWorld();
    const { page, open, expectClean } = await openConsole(browser, world);
    for (const { name, path, livePath = path } of PAGES) {
      await page.setViewportSize({ width: 1280, height: 860 });
      await open(livePath(ids));
      await page.locator('main [data-state="ready"]').first().waitFor();
      await page.locator('[data-live="live"]').first().waitFor();
      expect(await page.title(), name).toMatch(/^.+ · Yagate$/);
      expect(await page.locator("h1").count(), name).toBe(1);
      expect(await page.getByRole("alert").count(), name).toBe(0);
      await page.setViewportSize({ width: 320, height: 860 });
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name).toBe(true);
    }
    expectClean();
  });
});
