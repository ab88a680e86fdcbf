import { readFile } from "node:fs/promises";
import { z } from "zod";

const PAGES = z.object({
  pages: z.array(
    z.object({
      id: z.string(),
      kind: z.array(z.string()),
      generator: z.string(),
      source: z.string(),
      licence: z.string(),
      /** As the page declares it. */
      charset: z.string().default("utf-8"),
      /** A CSS selector of what people come for. */
      content: z.string(),
      /** Selectors of the excluded parts. */
      leftOut: z.array(z.string()),
    }),
  ),
});

export type SavedPage = z.infer<typeof PAGES>["pages"][number];

/** The saved pages, in the order of their generators. */
export async function readPages(): Promise<readonly SavedPage[]> {
  return PAGES.parse(JSON.parse(await readFile(vectorFile("pages.json"), "utf8"))).pages;
}

export function vectorFile(name: string): URL {
  return new URL(`./vectors/${name}`, import.meta.url);
}
