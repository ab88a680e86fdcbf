import { readFile } from "node:fs/promises";
import type { DocumentReader } from "@yagate/builtins/web/port";
import { readPages, type SavedPage, vectorFile } from "./read-pages.ts";
import { readabilityAlone } from "./readability-alone.ts";
import { type TokenScore, tokenScore } from "./token-f1.ts";

/** One page, read by both. */
export interface PageMeasured {
  readonly page: SavedPage;
  readonly ours: TokenScore;
  readonly readability: TokenScore;
}

/** Reads the saved pages with our reader and with Readability alone, and compares both with what was expected. */
export async function measureExtraction(reader: DocumentReader): Promise<readonly PageMeasured[]> {
  const measured: PageMeasured[] = [];
  for (const page of await readPages()) {
    const body = await readFile(vectorFile(`${page.id}.html`));
    const expected = await readFile(vectorFile(`${page.id}.txt`), "utf8");
    const { text } = await reader.read({ body, contentType: "text/html", url: "https://site.example/page" });
    // It takes text, decoded as the page declares.
    const alone = readabilityAlone(new TextDecoder(page.charset).decode(body));
    measured.push({ page, ours: tokenScore(text, expected), readability: tokenScore(alone, expected) });
  }
  return measured;
}
