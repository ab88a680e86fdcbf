import { composeGateway } from "../../gateway/src/compose/compose-gateway.ts";
import { completeConfig } from "../../gateway/src/config/gateway-config.ts";
import type { MeasuredOpening } from "./compare.ts";

const MEBIBYTE = 1_048_576;
const SETTLE_MS = 3_000;

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error("expected a data directory");

const startedAt = performance.now();
const composed = await composeGateway(completeConfig({ dataDir, logLevel: "silent" }));
const openMs = performance.now() - startedAt;
// Long enough for all periodic work.
await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
for (let round = 0; round < 3; round += 1) globalThis.gc?.();
const measured: MeasuredOpening = { openMs, rssMiB: process.memoryUsage.rss() / MEBIBYTE };
process.send?.(measured);
await composed.close();
process.disconnect();
