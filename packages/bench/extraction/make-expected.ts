import { writeFile } from "node:fs/promises";
import { chromium } from "playwright-core";
import { findChromium } from "../../../test/services/chromium.ts";
import { readPages, vectorFile } from "./read-pages.ts";

/**
 * Writes the expected text of each page: the text that Chromium renders for the element that was chosen by hand,
 * without the elements that were excluded by hand (`pages.json`). Our own reader has no part in it.
 */
const executablePath = findChromium();
if (executablePath === undefined) throw new Error("expected a Chromium");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const page = await context.newPage();
  for (const { id, content, leftOut } of await readPages()) {
    await page.goto(vectorFile(`${id}.html`).href, { waitUntil: "domcontentloaded" });
    const choice = JSON.stringify({ content, leftOut });
    // A string, because the types of a page's objects are not available here.
    const text: unknown = await page.evaluate(`(({ content, leftOut }) => {
      for (const details of document.querySelectorAll("details")) details.open = true;
      const parts = [...document.querySelectorAll(content)];
      for (const part of parts) for (const left of leftOut) for (const one of part.querySelectorAll(left)) one.remove();
      return parts.map((part) => part.innerText).join("\\n");
    })(${choice})`);
    if (typeof text !== "string" || text.trim() === "") throw new Error(`${id}: nothing matches ${content}`);
    await writeFile(
      vectorFile(`${id}.txt`),
      `${text
        .replace(/[ \t]+$/gm, "")
        .replace(/\n{3,}/g, "\n\n")
        .trim()}\n`,
    );
    console.log(`${id}: ${text.length} characters`);
  }
} finally {
  await browser.close();
}
