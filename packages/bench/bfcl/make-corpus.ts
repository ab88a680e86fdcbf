import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { z } from "zod";
import { BFCL_FILES, CORPUS, storedCorpusSchema } from "./corpus.ts";

/**
 * Writes the corpus from a checkout of gorilla: `node make-corpus.ts <folder of bfcl_eval/data>`. Definitions that
 * several cases offer are stored once.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("expected the folder bfcl_eval/data of a checkout of gorilla");

const questionSchema = z.object({
  id: z.string(),
  question: z.array(z.array(z.unknown())).length(1),
  function: z.array(z.unknown()),
});
const answerSchema = z.object({ id: z.string(), ground_truth: z.unknown() });

const positions = new Map<string, number>();
const functions: unknown[] = [];
const cases: unknown[] = [];
for (const file of BFCL_FILES) {
  const answers = new Map((await readLines(`possible_answer/BFCL_v4_${file}.json`)).map(readAnswer));
  for (const line of await readLines(`BFCL_v4_${file}.json`)) {
    const { id, question, function: offered } = questionSchema.parse(JSON.parse(line));
    cases.push({
      id,
      file,
      messages: question[0],
      functions: offered.map(positionOf),
      ...(answers.has(id) ? { answer: answers.get(id) } : {}),
    });
  }
}
const corpus = storedCorpusSchema.parse({ functions, cases });
const text = Buffer.from(JSON.stringify(corpus));
const packed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
await writeFile(CORPUS, packed);
console.log(
  `${corpus.cases.length} cases, ${functions.length} definitions, ${text.length} bytes, ${packed.length} packed`,
);

/** Files of irrelevance have no answers. */
async function readLines(name: string): Promise<readonly string[]> {
  const path = join(folder ?? "", name);
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    if (name.startsWith("possible_answer/") && name.includes("relevance")) return "";
    throw error;
  });
  return content.split("\n").filter((line) => line.trim() !== "");
}

function readAnswer(line: string): readonly [string, unknown] {
  const { id, ground_truth } = answerSchema.parse(JSON.parse(line));
  return [id, ground_truth];
}

function positionOf(definition: unknown): number {
  const key = JSON.stringify(definition);
  const known = positions.get(key);
  if (known !== undefined) return known;
  positions.set(key, functions.length);
  functions.push(definition);
  return functions.length - 1;
}
