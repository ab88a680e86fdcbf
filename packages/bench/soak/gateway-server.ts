import { readdirSync } from "node:fs";
import { createGateway, type GatewayConfig } from "@yagate/gateway";
import { UNLIMITED_PLANS } from "../unlimited-plans.ts";

/** The resources of a process after a garbage collection. Memory is in bytes. */
export interface Held {
  readonly heapUsed: number;
  readonly rss: number;
  /** Open files and sockets; 0 if the system does not report them. */
  readonly descriptors: number;
  /** Sockets, timers and requests in flight, by Node's names for them. */
  readonly resources: Readonly<Record<string, number>>;
}

function collect(): Held {
  // Objects that one collection releases, for example through finalizers, are freed by the next one.
  for (let times = 0; times < 3; times += 1) globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const descriptors = process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
  return { heapUsed, rss, descriptors, resources };
}

const [text = ""] = process.argv.slice(2);
const config: GatewayConfig = JSON.parse(text);
const gateway = createGateway({ plans: UNLIMITED_PLANS, ...config });
process.send?.(await gateway.start());
process.on("message", () => process.send?.(collect()));
process.on("disconnect", () => process.exit());
