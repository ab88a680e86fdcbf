import { once } from "node:events";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { ERROR_TABLE } from "@yagate/protocol";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSite, SITE } from "../../scripts/docs/build-site.ts";
import { findChromium } from "../services/chromium.ts";

const DIST = join(SITE, "dist");
const MAX_SCRIPT_BYTES = 60 * 1024;
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)("the documentation site", () => {
  let server: Server;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    expect(await buildSite()).toBeGreaterThan(150);
    server = createServer(async ({ url: path = "/" }, response) => {
      const { pathname } = new URL(path, "http://localhost");
      const file = join(DIST, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
      const body = await readFile(file).catch(() => undefined);
      response.writeHead(body === undefined ? 404 : 200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
      response.end(body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
  }, 600_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function open(path: string): Promise<{ page: Page; requests: string[] }> {
    const page = await browser.newPage();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
    return { page, requests };
  }

  it("finds the page of each error code first, without a server that searches", { timeout: 240_000 }, async () => {
    const { page } = await open("/");
    // As text, because what transforms test files replaces `import`.
    const first = await page.evaluate(`(async (codes) => {
      const pagefind = await import("/pagefind/pagefind.js");
      const found = {};
      for (const code of codes) {
        const { results } = await pagefind.search(code);
        found[code] = results[0] === undefined ? "" : (await results[0].data()).url;
      }
      return found;
    })(${JSON.stringify(Object.keys(ERROR_TABLE))})`);
    const expected = Object.fromEntries(
      Object.keys(ERROR_TABLE).map((code) => [code, `/errors/${code.toLowerCase()}/`]),
    );
    expect(first).toEqual(expected);
    await page.close();
  });

  it("lets a reader search by hand, and follow a result", async () => {
    const { page } = await open("/approvals/");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("dialog").locator("input").fill("DNS_BLOCKED");
    await page.getByRole("dialog").getByRole("link", { name: "DNS_BLOCKED" }).first().click();
    await page.waitForURL(/\/errors\/dns_blocked\//);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("DNS_BLOCKED");
    await page.close();
  });

  it.each(["/", "/approvals/", "/errors/timeout/", "/api/operations/createagent/"])(
    "loads at most 60 KB of script for %s, and nothing from elsewhere",
    async (path) => {
      const { page, requests } = await open(path);
      expect(requests.filter((request) => !request.startsWith(url) && !request.startsWith("data:"))).toEqual([]);
      const scripts = requests.filter((request) => request.endsWith(".js"));
      const files = scripts.map((request) => join(DIST, new URL(request).pathname));
      const inline = (await page.locator("script:not([src])").allTextContents()).join("");
      const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(file)).length));
      const total = sizes.reduce((sum, size) => sum + size, gzipSync(inline).length);
      expect(total).toBeGreaterThan(0);
      expect(total).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
      await page.close();
    },
  );

  it("has each page as Markdown, and lists them in llms.txt", async () => {
    const text = await readFile(join(DIST, "llms.txt"), "utf8");
    const listed = [...text.matchAll(/\]\(\/([^)]+)\)/g)].map(([, path = ""]) => path);
    expect(listed).toEqual(expect.arrayContaining(["approvals.md", "errors/timeout.md", "frameworks/express.md"]));
    const written = globSync("**/*.md", { cwd: DIST, exclude: (path) => path.startsWith("files") });
    expect(written.map((path) => path.replaceAll("\\", "/")).toSorted()).toEqual([...listed, "index.md"].toSorted());
    expect(await readFile(join(DIST, "approvals.md"), "utf8")).toMatch(/^# Approvals\n/);
  });
});
