import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "@yagate/gateway";

/** Returns the OpenAPI document of the gateway as JSON. It starts a gateway for this on a free port of this machine. */
export async function readOpenApi(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-docs-"));
  const apiKey = `yk_${crypto.randomUUID().replaceAll("-", "")}`;
  const gateway = createGateway({ port: 0, dataDir, apiKey, logLevel: "silent" });
  try {
    const { url } = await gateway.start();
    const response = await fetch(`${url}/openapi.json`);
    if (!response.ok) throw new Error(`GET /openapi.json responded with ${response.status}`);
    return await response.text();
  } finally {
    await gateway.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
