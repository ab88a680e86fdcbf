import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { GatewayConfig } from "@yagate/gateway";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { openWorld, type World } from "../../../../test/e2e/support/world.ts";

/** A page of the console that is signed in, with everything that it must never do. */
export interface ConsolePage {
  readonly page: Page;
  /** Opens a path of the console. */
  open(path: string): Promise<void>;
  /** Fails if the page broke its policy, asked another origin, or threw. */
  expectClean(): void;
  /** Fails if axe finds something. */
  expectAccessible(): Promise<void>;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const openConsoleWorld = (config: Partial<GatewayConfig> = {}): Promise<World> =>
  openWorld({ console: "on", ...config });

/** Opens the console in a browser of its own, and signs in. */
export async function openConsole(
  browser: Browser,
  world: Pick<World, "url" | "apiKey">,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(`threw: ${message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted|TrustedHTML/i.test(message.text())) faults.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(world.url)) faults.push(request.url());
  });
  await page.goto(`${world.url}/console/`);
  await page.getByLabel("API key").fill(world.apiKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages", exact: true }).waitFor();
  return {
    page,
    async open(path) {
      await page.goto(`${world.url}/console/${path}`);
    },
    expectClean: () => expect(faults).toEqual([]),
    async expectAccessible() {
      const session = await context.newCDPSession(page);
      // Through the debugger, because the page's policy lets no other script in.
      await session.send("Runtime.evaluate", { expression: AXE });
      const { result } = await session.send("Runtime.evaluate", {
        expression: `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
          JSON.stringify(violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).slice(0, 3).join(" | "))))`,
        awaitPromise: true,
        returnByValue: true,
      });
      expect(JSON.parse(String(result.value))).toEqual([]);
    },
  };
}
