import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBenchGateway } from "../bench-gateway.ts";
import { serveBlocks } from "../block-driver.ts";
import { createLoop } from "./ai-sdk-loop.ts";

// Runs executions in this process, without a server.
const [side, url, signingSecret] = process.argv.slice(2);
if (url === undefined || signingSecret === undefined) throw new Error("expected the webhook's URL and a secret");

if (side === "yagate") {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  const gateway = await openBenchGateway({ dataDir, signingSecret }, url);
  serveBlocks(gateway.execute, async () => {
    await gateway.close();
    await rm(dataDir, { recursive: true, force: true });
  });
} else {
  const loop = createLoop(url, { isTuned: side === "tuned" });
  serveBlocks(loop.execute);
}
