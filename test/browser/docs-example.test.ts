import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type Express, type Request } from "express";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { codeBlocks } from "../docs-blocks/code-blocks.ts";
import { listen, startRawService, toolAt } from "../e2e/support/services.ts";
import { openWorld } from "../e2e/support/world.ts";
import { findChromium } from "../services/chromium.ts";
import { bundlePage } from "./support/bundle-page.ts";
import { launchChromium } from "./support/launch-chromium.ts";
import { visit } from "./support/visit.ts";

const PAGE = "docs/browser.md";
const executablePath = findChromium();

/** The two sides of the example, written to files as a reader would. */
async function writeExample(): Promise<{ readonly server: string; readonly page: string }> {
  const blocks = codeBlocks(PAGE, readFileSync(join(repositoryRoot, PAGE), "utf8")).filter(
    ({ language }) => language === "ts",
  );
  const textOf = (isPage: boolean) => {
    const [block, ...rest] = blocks.filter(({ marks }) => marks.includes("browser") === isPage);
    if (block === undefined || rest.length > 0) throw new Error(`expected one server and one page on ${PAGE}`);
    return block.text;
  };
  const folder = join(repositoryRoot, ".cache", "browser-example");
  await mkdir(folder, { recursive: true });
  const [server, page] = [join(folder, "server.ts"), join(folder, "page.ts")];
  await Promise.all([writeFile(server, textOf(false)), writeFile(page, textOf(true))]);
  return { server, page };
}

/** The document around the page's module. */
const shellOf = (gatewayUrl: string) => `<!doctype html>
<html data-gateway="${gatewayUrl}">
<link rel="icon" href="data:,">
<form><input name="question"><button>Ask</button></form>
<p id="answer"></p>
<script type="module" src="/page.js"></script>
</html>`;

describe.skipIf(executablePath === undefined)(`the example of ${PAGE}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium(executablePath);
  });
  afterAll(() => browser?.close());

  it("answers a question in the page, and only whoever asked gets a token for it", async () => {
    const files = await writeExample();
    const script = await bundlePage(files.page);
    const broken = await startRawService((response) => void response.status(500).end());
    const { createServer }: { createServer(userOf: (request: Request) => string): Express } = await import(
      files.server
    );

    // The page's origin must be known before the gateway starts, and the gateway's address before the page is given.
    const application = express();
    const origin = await listen(application);
    const world = await openWorld({ corsOrigins: [origin] });
    const tool = toolAt(broken.url, {
      name: "show_map",
      description: "Show the map of a city.",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    });
    const agent = await world.createAgent([tool], { model: "scripted/keyword" });
    vi.stubEnv("YAGATE_BASE_URL", world.url);
    vi.stubEnv("YAGATE_API_KEY", world.apiKey);
    vi.stubEnv("AGENT_ID", agent.id);
    onTestFinished(() => void vi.unstubAllEnvs());
    application.get("/page.js", (_request, response) => void response.type("text/javascript").send(script));
    application.get("/", (_request, response) => void response.type("text/html").send(shellOf(world.url)));
    application.use(createServer((request) => String(request.headers["x-user"] ?? "ada")));

    const { page, consoleErrors } = await visit(browser, origin);
    await page.locator("[name=question]").fill("Show the map of the city Berlin");
    await page.locator("button").click();
    await page.locator("#answer", { hasText: "the map could not be loaded" }).waitFor();
    expect(await page.locator("#answer").getAttribute("data-tool")).toBe("show_map");
    expect(consoleErrors).toEqual([]);

    const [execution] = await world.client.executions.list().toArray();
    expect(execution).toMatchObject({ status: "completed", metadata: { userId: "ada" } });
    const tokenFor = (user: string) =>
      fetch(`${origin}/api/executions/${execution?.id}/token`, { method: "POST", headers: { "x-user": user } });
    expect((await tokenFor("ada")).status).toBe(200);
    expect((await tokenFor("bob")).status).toBe(404);
  });
});
