import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBenchGateway } from "../bench-gateway.ts";
import { measure } from "./measure.ts";

const [url, signingSecret] = process.argv.slice(2);
if (url === undefined || signingSecret === undefined) throw new Error("expected the webhook's URL and a secret");

const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
const gateway = await openBenchGateway({ dataDir, signingSecret }, url);
process.send?.(
  await measure(async () => {
    await gateway.execute();
  }),
);
await gateway.close();
await rm(dataDir, { recursive: true, force: true });
process.disconnect();
