import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "@yagate/gateway";

export interface StartedGateway {
  readonly url: string;
  readonly key: string;
  stop(): Promise<void>;
}

/** A gateway with a data directory of its own. */
export async function startGateway(): Promise<StartedGateway> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-api-document-"));
  const key = `yk_${crypto.randomUUID()}${crypto.randomUUID()}`;
  const gateway = createGateway({ port: 0, dataDir, apiKey: key, logLevel: "silent" });
  const { url } = await gateway.start();
  return {
    url,
    key,
    async stop() {
      await gateway.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
