import type { SentenceGraph } from "./sentence-graph.ts";

const DAMPING = 0.85;
const MAX_ROUNDS = 50;
const CLOSE_ENOUGH = 1e-6;

/**
 * How central each sentence is: the share of its visits of a walk that goes from a sentence to one like it, and at times
 * anywhere (PageRank over the weighted graph). All shares add up to 1.
 */
export function centralityOf(graph: SentenceGraph): Float64Array {
  const count = graph.length;
  const totals = graph.map((edges) => edges.reduce((sum, { weight }) => sum + weight, 0));
  let shares = new Float64Array(count).fill(1 / count);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const lost = totals.reduce((sum, total, at) => sum + (total === 0 ? (shares[at] ?? 0) : 0), 0);
    const next = new Float64Array(count).fill((1 - DAMPING + DAMPING * lost) / count);
    for (const [from, edges] of graph.entries()) {
      const flow = (DAMPING * (shares[from] ?? 0)) / (totals[from] ?? 1);
      for (const { to, weight } of edges) next[to] = (next[to] ?? 0) + flow * weight;
    }
    const change = next.reduce((sum, share, at) => sum + Math.abs(share - (shares[at] ?? 0)), 0);
    shares = next;
    if (change < CLOSE_ENOUGH) break;
  }
  return shares;
}
