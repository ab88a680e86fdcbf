import { collectDefaultMetrics, Registry } from "prom-client";

/** Metrics as text. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** Gauges under names of counters, which Prometheus' linter refuses. Each is the sum of the gauge without `_total`. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** Gives a registry's metrics, and those of the process, in the text format 0.0.4. */
export function createExposition(registry: Registry): () => Promise<Exposition> {
  let processMetrics: Registry | undefined;
  return async () => {
    // What watches the event loop and the garbage collector begins with the first scrape: nobody else would look.
    if (processMetrics === undefined) {
      processMetrics = new Registry();
      collectDefaultMetrics({ register: processMetrics });
      for (const name of MISNAMED) processMetrics.removeSingleMetric(name);
    }
    const texts = await Promise.all([registry.metrics(), processMetrics.metrics()]);
    return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: texts.join("") };
  };
}
