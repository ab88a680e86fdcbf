import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repositoryRoot } from "../../../../scripts/repository-root.ts";
import { launchChromium } from "../../../../test/browser/support/launch-chromium.ts";
import { startRawService, toolAt } from "../../../../test/e2e/support/services.ts";
import { findChromium } from "../../../../test/services/chromium.ts";
import { ensureBuiltConsole } from "./built-console.ts";
import { openConsole, openConsoleWorld } from "./open-console.ts";

const executablePath = findChromium();
const PICTURE = join(repositoryRoot, "docs", "images", "console.png");
const QUESTION = "Where is order ORD-12345, and what would express shipping to Berlin cost?";
/** Ids, times and the widths of bars differ from run to run, and fonts from system to system. */
const MOST_DIFFERENT = 0.12;

/** Returns the share of pixels that clearly differ; 1 if the sizes do. */
const DIFFERENCE = `(async ([left, right]) => {
  const pixelsOf = async (data) => {
    const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  };
  const [a, b] = [await pixelsOf(left), await pixelsOf(right)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const distance = [0, 1, 2].reduce((sum, channel) => sum + Math.abs(a.data[at + channel] - b.data[at + channel]), 0);
    if (distance > 96) different += 1;
  }
  return different / (a.data.length / 4);
})`;

describe.skipIf(executablePath === undefined)("the picture in the README", () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(executablePath), ensureBuiltConsole()]);
  });
  afterAll(() => browser?.close());

  it("shows the console as it is", { timeout: 120_000 }, async () => {
    const world = await openConsoleWorld();
    const { client } = world;
    const service = await startRawService(async (response, _call, count) => {
      await new Promise((resolve) => setTimeout(resolve, 80));
      if (count === 1) response.status(503).json({ error: { code: "BUSY", message: "the warehouse is busy" } });
      else response.json({ result: { status: "packed", carrier: "DHL", city: "Berlin" } });
    });
    const options = { sideEffect: "read_only", retries: 2 } as const;
    const agent = await world.createAgent(
      [
        toolAt(service.url, options),
        toolAt(service.url, { ...options, name: "shipping_quote", description: "Quote." }),
      ],
      { name: "Demo" },
    );
    const call = (name: string) => ({ name, parameters: { orderId: "ORD-12345" } });
    const turns = [
      { text: "I look up the order.", toolCalls: [call("lookup_order")] },
      { text: "It is packed. What would express cost?", toolCalls: [call("shipping_quote"), call("lookup_order")] },
      { text: "Your order is packed." },
    ];
    const { id } = await client.agents.execute(agent.id, { input: QUESTION, script: { turns } });
    const opened = await openConsole(browser, world, { viewport: { width: 1280, height: 800 }, colorScheme: "light" });
    const { page, open, expectClean } = opened;
    await open(`executions/${id}`);
    await page.getByRole("row", { name: /attempt 1.*503/ }).click();
    await page.getByRole("region", { name: "Attempt 1" }).getByText("webhook-id").waitFor();
    await page.mouse.move(0, 0);
    const taken = await page.screenshot();
    if (process.env["UPDATE_PICTURES"] !== undefined || !existsSync(PICTURE)) {
      mkdirSync(dirname(PICTURE), { recursive: true });
      writeFileSync(PICTURE, taken);
    }
    const blank = await browser.newPage();
    const pair = [readFileSync(PICTURE).toString("base64"), taken.toString("base64")];
    const different = await blank.evaluate(`${DIFFERENCE}(${JSON.stringify(pair)})`);
    await blank.close();
    expect(different).toBeLessThan(MOST_DIFFERENT);
    expectClean();
  });
});
