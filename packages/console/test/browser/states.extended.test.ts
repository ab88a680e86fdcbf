import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openFilledWorld } from "./filled-world.ts";
import { openConsole } from "./open-console.ts";
import { PAGES, type RegisteredPage } from "./page-registry.ts";

const executablePath = findChromium();
const PROBLEM = {
  ...{ type: "urn:yagate:error:INTERNAL", title: "Internal", status: 500, code: "INTERNAL" },
  ...{ detail: "the gateway failed; its log has the details", hint: "try again", requestId: "a-request-id" },
};
/** A page has 16 pictures, and each is checked with axe. */
const TIMEOUT_MS = 300_000;
const VIEWS = [1280, 320].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);
/** Where to keep pictures of the pages, to look at them; none by default. */
const PICTURES = process.env["CONSOLE_PICTURES"];

/** Tries again, unless a hint that something changed made the page read again before. */
async function retry(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Retry" });
  const ready = page.locator('main [data-state="ready"]').first();
  await button.or(ready).first().waitFor();
  if (await button.isVisible()) await button.click({ timeout: 2_000 }).catch(() => undefined);
  await ready.waitFor();
}

/** Answers the page's request in place of the gateway, in the state that is asked for. */
async function bring(
  page: Page,
  apiKey: string,
  { request, empty }: RegisteredPage,
  state: "loading" | "empty" | "error",
): Promise<void> {
  await page.route(request, async (route) => {
    if (state === "loading") return;
    if (state === "error") {
      return route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify(PROBLEM) });
    }
    if (typeof empty !== "function") return route.fulfill({ status: 200, contentType: empty.type, body: empty.body });
    // The session counts only for the browser itself.
    const response = await fetch(route.request().url(), { headers: { authorization: `Bearer ${apiKey}` } });
    const json = empty((await response.json()) as Record<string, unknown>);
    // The page may have cancelled its request by now, because a hint made it read again.
    return route.fulfill({ json }).catch(() => undefined);
  });
}

describe.skipIf(executablePath === undefined)("the states of", () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  it.each(PAGES)(
    "$name: drawn, accessible and without a fault, in both themes and at both widths",
    { timeout: TIMEOUT_MS },
    async (registered) => {
      const { world, ids } = await openFilledWorld();
      for (const { width, colorScheme } of VIEWS) {
        const opened = await openConsole(browser, world, { viewport: { width, height: 860 }, colorScheme });
        const { page, open, expectAccessible, expectClean } = opened;
        const look = async (state: string) => {
          await expectAccessible();
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), state).toBe(true);
          if (PICTURES === undefined) return;
          mkdirSync(PICTURES, { recursive: true });
          const name = `${registered.name.toLowerCase().replaceAll(" ", "-")}-${state}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: join(PICTURES, name), fullPage: true });
        };
        await open((registered.livePath ?? registered.path)(ids));
        await page.locator('main [data-state="ready"]').first().waitFor();
        await page.locator('[data-live="live"]').first().waitFor();
        await look("live");
        if (registered.livePath !== undefined) {
          await open(registered.path(ids));
          await page.locator('main [data-state="ready"]').first().waitFor();
          expect(await page.locator("main [data-live]").count()).toBe(0);
          await look("ended");
        }
        for (const state of ["loading", "empty", "error"] as const) {
          await bring(page, world.apiKey, registered, state);
          await open(registered.path(ids));
          await page.locator(`main [data-state="${state}"]`).first().waitFor();
          await look(state);
          if (state === "error") {
            expect(await page.getByRole("alert").innerText()).toMatch(
              /INTERNAL[\s\S]*try again[\s\S]*Retry[\s\S]*a-request-id/,
            );
          }
          await page.unroute(registered.request);
        }
        await retry(page);
        expectClean();
      }
    },
  );

  it.each(PAGES)(
    "$name: offline, it says so and can be tried again; without a session, it asks to sign in",
    { timeout: TIMEOUT_MS },
    async (registered) => {
      const { world, ids } = await openFilledWorld();
      const { page, open } = await openConsole(browser, world);
      await page.route(registered.request, (route) => route.abort());
      await open(registered.path(ids));
      await page.getByRole("alert").getByRole("button", { name: "Retry" }).waitFor();
      await page.unroute(registered.request);
      await retry(page);
      await page.context().clearCookies();
      await open(registered.path(ids));
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.getByLabel("API key").fill(world.apiKey);
      await page.getByRole("button", { name: "Sign in" }).click();
      // The address is still that of the page.
      await page.locator('main [data-state="ready"]').first().waitFor();
    },
  );
});
