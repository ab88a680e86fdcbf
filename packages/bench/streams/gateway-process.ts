import { monitorEventLoopDelay } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import type { GatewayConfig } from "../../gateway/src/config/gateway-config.ts";

/** A gateway of a checkout, in this process. */
export interface GatewayProcessTask {
  /** The folder of the checkout whose gateway is started. */
  readonly checkout: string;
  readonly config: GatewayConfig;
}

/** The longest block of the event loop since the last request for it, in ms. */
export interface LoopReport {
  readonly longestStallMs: number;
}

const [text = ""] = process.argv.slice(2);
const { checkout, config }: GatewayProcessTask = JSON.parse(text);
const source = new URL("packages/gateway/src/gateway.ts", pathToFileURL(`${checkout}/`));
const { createGateway }: typeof import("../../gateway/src/gateway.ts") = await import(source.href);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const gateway = createWithoutQuotas();
const { url } = await gateway.start();
process.send?.({ url });
process.on("message", () => {
  const report: LoopReport = { longestStallMs: delay.max / 1e6 };
  delay.reset();
  process.send?.(report);
});
process.on("disconnect", () => process.exit());

/** All clients are to be let in. An older checkout has no quotas and rejects a configuration that sets any. */
function createWithoutQuotas() {
  const standard = { eventStreams: null, eventStreamsPerExecution: null, requestsPerSecond: null };
  try {
    return createGateway({ ...config, plans: { standard } });
  } catch {
    return createGateway(config);
  }
}
