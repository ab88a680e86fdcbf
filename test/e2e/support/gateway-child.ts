import { createGateway, type GatewayConfig } from "@yagate/gateway";

const SAMPLE_EVERY_MS = 5;

/** What is asked of this process. */
type Question =
  | { readonly ask: "start"; readonly config: GatewayConfig }
  | { readonly ask: "watch" | "report" | "collect" };

let peakRss = 0;
/** Most processor time of this thread between two samples: on a busy machine, the time itself says nothing. */
let longestGapMs = 0;
let usedMs = threadMs();
const sample = () => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
  const now = threadMs();
  longestGapMs = Math.max(longestGapMs, now - usedMs);
  usedMs = now;
};
setInterval(sample, SAMPLE_EVERY_MS);

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Processor time of all threads, in ms. */
function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

process.on("message", async (question: Question) => {
  if (question.ask === "start") {
    const { url } = await createGateway(question.config).start();
    process.send?.({ url });
    return;
  }
  if (question.ask === "collect") globalThis.gc?.();
  if (question.ask === "watch") {
    peakRss = 0;
    sample();
    longestGapMs = 0;
  }
  sample();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  process.send?.({ rss, peakRss, keptBytes: heapUsed + arrayBuffers, longestGapMs, cpuMs: processMs() });
});
process.on("disconnect", () => process.exit());
