import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { jsonObjectSchema } from "@yagate/protocol";
import { z } from "zod";

const verdictSchema = z.object({
  /** The case. */
  id: z.string(),
  /** How the answer differs from the expected calls, such as `missing argument`. */
  mutation: z.string(),
  /** The calls of the answer, each `{ [name]: arguments }`. */
  calls: z.array(z.record(z.string(), jsonObjectSchema)),
  valid: z.boolean(),
});
/** What BFCL's own checker said about an answer to a case. */
export type BfclVerdict = z.infer<typeof verdictSchema>;

const decompress = promisify(brotliDecompress);

/** Reads the verdicts of BFCL's checker about right and altered answers. */
export async function readVerdicts(): Promise<readonly BfclVerdict[]> {
  const text = (await decompress(await readFile(new URL("verdicts.jsonl.br", import.meta.url)))).toString("utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => verdictSchema.parse(JSON.parse(line)));
}
