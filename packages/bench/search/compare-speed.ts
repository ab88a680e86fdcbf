import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createLocalSearch, type LocalSearch } from "@yagate/builtins/search/local/local-search";
import { format, spreadOf } from "../spread.ts";
import { makeDocuments } from "./made-documents.ts";
import type { RelevanceSet } from "./relevance-set.ts";

const DOCUMENTS = 10_000;
const QUERIES = 500;
const INDEX_ROUNDS = 3;
const QUERY_ROUNDS = 5;
const PAUSE_MS = 100;

/** Indexes 10,000 documents and searches for words from them through the provider, as an agent's tool does. */
export async function compareSpeed(folder: string, set: RelevanceSet): Promise<void> {
  const documents = join(folder, "documents");
  const { bytes, queries } = await makeDocuments(documents, DOCUMENTS, QUERIES, set);
  const indexFile = join(folder, "index", "search.db");
  const open = () => createLocalSearch({ folder: documents, indexFile, now: Date.now, refreshEveryMs: 0 });

  const rounds: { seconds: number; cpuSeconds: number; delayMs: number; whileIndexing: readonly number[] }[] = [];
  for (let round = 0; round < INDEX_ROUNDS; round += 1) {
    await rm(join(folder, "index"), { recursive: true, force: true });
    const started = performance.now();
    const cpu = process.cpuUsage();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const search = await open();
    let isDone = false;
    const indexed = search.refresh().finally(() => {
      isDone = true;
    });
    const whileIndexing = await askUntil(search, queries, () => isDone);
    await indexed;
    delay.disable();
    const seconds = (performance.now() - started) / 1_000;
    rounds.push({ seconds, cpuSeconds: cpuMsSince(cpu) / 1_000, delayMs: delay.max / 1e6, whileIndexing });
    await search.close();
  }

  const search = await open();
  const unchanged = await search.refresh();
  const times: (readonly number[])[] = [];
  const cpuMs: number[] = [];
  for (let round = 0; round < QUERY_ROUNDS; round += 1) {
    const took: number[] = [];
    const cpu = process.cpuUsage();
    for (const query of queries) took.push(await timeOf(search, query));
    times.push(took);
    cpuMs.push(cpuMsSince(cpu) / queries.length);
  }
  await search.close();
  const { size } = await stat(indexFile);

  const line = (label: string, figure: string) => console.log(`  ${label.padEnd(62)} ${figure}`);
  console.log(
    `\n${DOCUMENTS} documents, ${(bytes / DOCUMENTS / 1_000).toFixed(1)} KB on average, Node ${process.versions.node}`,
  );
  line(
    "indexed in s, ten searches a second meanwhile (goal: 60)",
    format(spreadOf(rounds.map(({ seconds }) => seconds)), 1),
  );
  line("the same, s of CPU, all threads", format(spreadOf(rounds.map(({ cpuSeconds }) => cpuSeconds)), 1));
  line("longest delay of the event loop meanwhile, ms", format(spreadOf(rounds.map(({ delayMs }) => delayMs)), 0));
  line(
    "searches meanwhile: p99, ms",
    format(spreadOf(rounds.map(({ whileIndexing }) => percentile(whileIndexing, 0.99))), 1),
  );
  line("a pass over a folder without changes, ms", String(unchanged?.durationMs));
  line("size of the index, of the documents'", (size / bytes).toFixed(2));
  line(`${QUERIES} queries: p50, ms`, format(spreadOf(times.map((took) => percentile(took, 0.5))), 1));
  line(`${QUERIES} queries: p99, ms (goal: 50)`, format(spreadOf(times.map((took) => percentile(took, 0.99))), 1));
  line("CPU of a query, all threads, ms on average", format(spreadOf(cpuMs), 1));
}

async function askUntil(
  search: LocalSearch,
  queries: readonly string[],
  isOver: () => boolean,
): Promise<readonly number[]> {
  const took: number[] = [];
  for (let next = 0; !isOver(); next += 1) {
    took.push(await timeOf(search, queries[next % queries.length] ?? ""));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  // The first one waits until the thread has started.
  return took.slice(1);
}

async function timeOf(search: LocalSearch, text: string): Promise<number> {
  const before = performance.now();
  await search.search(
    { text, maxResults: 10, allowedDomains: [], blockedDomains: [] },
    { workspaceId: "ws_bench", deadline: Date.now() + 60_000, signal: new AbortController().signal },
  );
  return performance.now() - before;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Of all threads of this process. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
