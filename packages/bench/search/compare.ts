import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareRelevance } from "./compare-relevance.ts";
import { compareSpeed } from "./compare-speed.ts";
import { loadRelevanceSet } from "./relevance-set.ts";

/** Measures the search in a folder of documents: its ranking, compared with plain BM25, and its speed. */
export async function benchSearch(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  try {
    const set = await loadRelevanceSet();
    await compareRelevance(join(folder, "relevance"), set);
    await compareSpeed(join(folder, "speed"), set);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
