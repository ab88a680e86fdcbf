import type { Browser, Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** A page that a person has open, and everything that it said and asked. */
export interface Visit {
  readonly page: Page;
  /** Errors that the page's console shows. */
  readonly consoleErrors: readonly string[];
  readonly requests: readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
  /** The lines of a list, once it has at least this many. */
  lines(list: "pieces" | "events" | "questions" | "attempts", atLeast?: number): Promise<readonly string[]>;
  /** The text of an element, once it has one. */
  text(id: "result" | "failure"): Promise<string>;
}

/** Opens an address in a browser profile of its own, which is closed after the test. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const consoleErrors: string[] = [];
  const requests: { url: string; headers: Record<string, string> }[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") consoleErrors.push(message.text());
  });
  page.on("pageerror", (error) => consoleErrors.push(String(error)));
  page.on("request", (request) => requests.push({ url: request.url(), headers: request.headers() }));
  await page.goto(url);
  return {
    page,
    consoleErrors,
    requests,
    async lines(list, atLeast = 1) {
      const items = page.locator(`#${list} li`);
      await items.nth(atLeast - 1).waitFor({ state: "attached" });
      return items.allTextContents();
    },
    async text(id) {
      await page.locator(`#${id}:not(:empty)`).waitFor({ state: "attached" });
      return (await page.locator(`#${id}`).textContent()) ?? "";
    },
  };
}
