import { monitorEventLoopDelay } from "node:perf_hooks";
import { createGateway, type GatewayConfig } from "@yagate/gateway";

const SAMPLE_EVERY_MS = 5;

/** What is asked of this process. */
type Question =
  | { readonly ask: "start"; readonly config: GatewayConfig }
  | { readonly ask: "watch" | "report" | "collect" };

let peakRss = 0;
const sample = () => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
};
setInterval(sample, SAMPLE_EVERY_MS);
const delay = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });
delay.enable();

process.on("message", async (question: Question) => {
  if (question.ask === "start") {
    const { url } = await createGateway(question.config).start();
    process.send?.({ url });
    return;
  }
  if (question.ask === "collect") globalThis.gc?.();
  if (question.ask === "watch") {
    peakRss = 0;
    delay.reset();
  }
  sample();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  process.send?.({ rss, peakRss, keptBytes: heapUsed + arrayBuffers, longestGapMs: delay.max / 1e6 });
});
process.on("disconnect", () => process.exit());
