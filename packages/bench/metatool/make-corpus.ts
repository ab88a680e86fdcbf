import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { CORPUS, metaToolSchema } from "./corpus.ts";

/** Writes the corpus from a checkout of MetaTool: `node make-corpus.ts <its folder dataset>`. */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("expected the folder dataset of a checkout of MetaTool");
const read = (name: string) => readFile(join(folder, name), "utf8");

const descriptions = z.record(z.string(), z.string()).parse(JSON.parse(await read("plugin_des.json")));
const rows = z
  .array(z.object({ Query: z.string(), Tool: z.string() }))
  .parse(parse(await read("data/all_clean_data.csv"), { columns: true, bom: true }));
const golden = z
  .array(z.object({ query: z.string(), tool: z.array(z.string()) }))
  .parse(JSON.parse(await read("data/multi_tool_query_golden.json")));

const single = new Map<string, string[]>();
for (const { Query, Tool } of rows) single.set(Tool, [...(single.get(Tool) ?? []), Query]);
const corpus = metaToolSchema.parse({
  tools: Object.entries(descriptions).map(([name, description]) => ({ name, description })),
  single: Object.fromEntries(single),
  multiple: golden.map(({ query, tool }) => ({ query, tools: tool })),
});
const text = Buffer.from(JSON.stringify(corpus));
const packed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
await writeFile(CORPUS, packed);
console.log(`${corpus.tools.length} tools, ${rows.length} queries, ${text.length} bytes, ${packed.length} packed`);
