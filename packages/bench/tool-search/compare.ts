import { createToolIndex } from "@yagate/tool-search/tool-index";
import { bootstrapInterval, mean } from "../search/measures.ts";
import { bfclCatalogue, type Catalogue, metaToolCatalogue, type Question, sampleOf } from "./questions.ts";
import { type FindTools, gatewaySearch, plainFullText, recall } from "./recall.ts";
import { type Savings, savingsOf } from "./savings.ts";

const SIZES = [1_000, 200, 50] as const;
const SAVING_SIZES = [1_000, 200, 100, 50, 20] as const;
const SAMPLES = 10;
const TIMED_TOOLS = 1_000;

/** How often tool search finds the right tool among the first five, compared with plain full-text search, and how fast. */
export async function benchToolSearch(): Promise<void> {
  const bfcl = await bfclCatalogue();
  console.log("\nTool search, recall@5: the gateway / full-text search over name and description");
  await print(`BFCL, all ${bfcl.tools.length} tools, the user's question`, bfcl);
  for (const group of ["not live", "live"]) {
    await print(`  ${group}`, { ...bfcl, questions: bfcl.questions.filter((one) => one.group === group) });
  }
  await print(`BFCL, all ${bfcl.tools.length} tools, an agent's queries`, { ...bfcl, questions: bfcl.capabilities });
  for (const size of SIZES) await printSamples(bfcl, size);
  const metaTool = await metaToolCatalogue();
  for (const group of ["one tool", "two tools"]) {
    const questions = metaTool.questions.filter((one) => one.group === group);
    await print(`MetaTool, ${metaTool.tools.length} tools, queries for ${group}`, { ...metaTool, questions });
  }
  await printTimes(sampleOf(bfcl, TIMED_TOOLS, 1));
  for (const size of SAVING_SIZES) await printSavings(bfcl, size);
}

async function printSavings(catalogue: Catalogue, size: number): Promise<void> {
  const all = await Promise.all(
    Array.from({ length: SAMPLES }, (_, index) => savingsOf(sampleOf(catalogue, size, index + 1))),
  );
  const spread = (pick: (savings: Savings) => number) => {
    const shares = all.map((savings) => pick(savings) * 100);
    return `${mean(shares).toFixed(1)} % (${Math.min(...shares).toFixed(1)} to ${Math.max(...shares).toFixed(1)})`;
  };
  const tokens = spread((savings) => savings.tokens);
  const cost = `cost with a cache: appended ${spread(({ appendedCost }) => appendedCost)}, in the provider's form ${spread(({ nativeCost }) => nativeCost)}`;
  console.log(`  ${size} tools: saved ${tokens} of the tokens of definitions; ${cost}`);
}

async function print(label: string, { tools, questions }: Catalogue): Promise<void> {
  const ours = await gatewaySearch({ tools });
  const hits = questions.map((question) => recall(ours, [question]));
  const interval = bootstrapInterval(hits, 500).map((end) => end.toFixed(3));
  const plain = recall(plainFullText({ tools }), questions);
  const figures = `${mean(hits).toFixed(3)} (95 %: ${interval.join(" to ")}) / ${plain.toFixed(3)}`;
  console.log(`  ${label}: ${figures}, ${questions.length} questions`);
}

async function printSamples(catalogue: Catalogue, size: number): Promise<void> {
  const ours: number[] = [];
  const plain: number[] = [];
  for (let seed = 1; seed <= SAMPLES; seed += 1) {
    const sample = sampleOf(catalogue, size, seed);
    ours.push(recall(await gatewaySearch(sample), sample.questions));
    plain.push(recall(plainFullText(sample), sample.questions));
  }
  const spread = `${Math.min(...ours).toFixed(3)} to ${Math.max(...ours).toFixed(3)}`;
  const figures = `${mean(ours).toFixed(3)} (${spread}) / ${mean(plain).toFixed(3)}`;
  console.log(`  BFCL, ${SAMPLES} random sets of ${size} tools: ${figures}`);
}

async function printTimes({ tools, questions }: Catalogue): Promise<void> {
  const start = performance.now();
  const index = await createToolIndex(tools);
  const buildMs = performance.now() - start;
  const find: FindTools = (query, limit) => index.search({ query, limit });
  const times = queryTimes(find, questions);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(3);
  console.log(
    `  ${tools.length} tools: built in ${buildMs.toFixed(0)} ms; a query takes ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
}

/** The time of each question in ms, shortest first. */
function queryTimes(find: FindTools, questions: readonly Question[]): readonly number[] {
  return leastQueryTimes(find, questions, 1);
}

/** The shortest of several times of each question in ms, shortest first: another process interrupts few of them all. */
export function leastQueryTimes(find: FindTools, questions: readonly Question[], runs: number): readonly number[] {
  const queries = questions.flatMap((question) => question.queries);
  for (const query of queries.slice(0, 200)) find(query, 5);
  const timeOf = (query: string) => {
    const start = performance.now();
    find(query, 5);
    return performance.now() - start;
  };
  return queries
    .map((query) => Math.min(...Array.from({ length: runs }, () => timeOf(query))))
    .sort((left, right) => left - right);
}
