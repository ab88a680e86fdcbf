import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { jsonObjectSchema, jsonValueSchema } from "@yagate/protocol";
import { z } from "zod";

/** The files of BFCL whose cases have an answer. */
export const ANSWERED_FILES = [
  "simple_python",
  "multiple",
  "parallel",
  "parallel_multiple",
  "live_simple",
  "live_multiple",
  "live_parallel",
  "live_parallel_multiple",
  "simple_java",
  "simple_javascript",
] as const;

/** The files of BFCL that the corpus holds, in this order. */
export const BFCL_FILES = [...ANSWERED_FILES, "irrelevance", "live_irrelevance", "live_relevance"] as const;
export type BfclFile = (typeof BFCL_FILES)[number];

const functionSchema = z.object({
  name: z.string(),
  description: z.string(),
  /** BFCL's dialect of JSON Schema; `toJsonSchema` translates it. */
  parameters: jsonObjectSchema,
});
/** A function as BFCL defines it. */
export type BfclFunction = z.infer<typeof functionSchema>;

/** One expected call: the name, and for each parameter its acceptable values; `""` means that it may be absent. */
const expectedCallSchema = z.record(z.string(), z.record(z.string(), z.array(jsonValueSchema)));

const storedCaseSchema = z.object({
  id: z.string(),
  file: z.enum(BFCL_FILES),
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })).min(1),
  /** Positions in `functions`. */
  functions: z.array(z.int().nonnegative()),
  answer: z.array(expectedCallSchema).optional(),
});
export const storedCorpusSchema = z.object({ functions: z.array(functionSchema), cases: z.array(storedCaseSchema) });

/** A question, the functions that were offered with it, and the expected calls if the case has an answer. */
export type BfclCase = Omit<z.infer<typeof storedCaseSchema>, "functions"> & {
  readonly functions: readonly BfclFunction[];
};

/** Where the corpus is stored, compressed with Brotli. */
export const CORPUS = new URL("bfcl-v4.json.br", import.meta.url);

const decompress = promisify(brotliDecompress);

/** Reads all cases, or those of some files, in BFCL's order. */
export async function readBfcl(files: readonly BfclFile[] = BFCL_FILES): Promise<readonly BfclCase[]> {
  const text = (await decompress(await readFile(CORPUS))).toString("utf8");
  const { functions, cases } = storedCorpusSchema.parse(JSON.parse(text));
  return cases
    .filter(({ file }) => files.includes(file))
    .map((stored) => ({
      ...stored,
      functions: stored.functions.map((position) => {
        const found = functions[position];
        if (found === undefined) throw new Error(`${stored.id}: expected a function at position ${position}`);
        return found;
      }),
    }));
}

const capabilitySchema = z.array(z.object({ id: z.string(), queries: z.array(z.string()).min(1) }));

/** Reads short queries as an agent would write them, by the id of a case. */
export async function readCapabilityQueries(): Promise<z.infer<typeof capabilitySchema>> {
  const text = await readFile(new URL("capability-queries.json", import.meta.url), "utf8");
  return capabilitySchema.parse(JSON.parse(text));
}
