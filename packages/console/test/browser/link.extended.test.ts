import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "@yagate/gateway";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)("the link that yagate dev prints", () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  it("signs one browser in, shows the gallery there, and leaves no secret in the address", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "yagate-link-"));
    const gateway = createGateway({
      ...{ port: 0, dataDir, apiKey: "yk_link_0123456789abcdef0123456789abcdef", logLevel: "silent", drainMs: 0 },
      ...{ console: "auto", development: {} },
    });
    await gateway.start();
    onTestFinished(async () => {
      await gateway.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    const link = (await gateway.createConsoleLink()) ?? "";
    expect(link).toContain("#link=");
    const open = async () => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(link);
      return page;
    };
    const first = await open();
    await first.getByRole("heading", { name: "Four steps to a completed execution" }).waitFor();
    expect(first.url()).not.toContain("link=");
    await first.goto(new URL("gallery", link).href);
    await first.getByRole("heading", { name: "Gallery" }).waitFor();
    const second = await open();
    await second.getByRole("alert").waitFor();
    await second.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});
