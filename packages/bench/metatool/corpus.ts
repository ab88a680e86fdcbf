import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { z } from "zod";

export const metaToolSchema = z.object({
  /** Each tool has a description of one sentence or a few, and no parameters. */
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  /** Queries for which one tool was meant, by its name. */
  single: z.record(z.string(), z.array(z.string())),
  /** Queries for which two tools were meant. */
  multiple: z.array(z.object({ query: z.string(), tools: z.array(z.string()).length(2) })),
});
type MetaTool = z.infer<typeof metaToolSchema>;

/** Where the corpus is stored, compressed with Brotli. */
export const CORPUS = new URL("metatool.json.br", import.meta.url);

const decompress = promisify(brotliDecompress);

/** Reads the tools of MetaTool and its queries. */
export async function readMetaTool(): Promise<MetaTool> {
  return metaToolSchema.parse(JSON.parse((await decompress(await readFile(CORPUS))).toString("utf8")));
}
