import { createGateway } from "@yagate/gateway";
import { onTestFinished } from "vitest";
import { KEYS } from "./command.ts";
import { makeFolder } from "./folder.ts";

type Options = NonNullable<Parameters<typeof createGateway>[0]>;

/**
 * Starts a gateway in this process, which costs a tenth of `yagate serve` in a process of its own; its URL, and the
 * environment in which commands find it.
 */
export async function startGateway(options: Options = {}) {
  const dataDir = await makeFolder();
  const apiKey = KEYS.YAGATE_API_KEY;
  const gateway = createGateway({ port: 0, dataDir, apiKey, logLevel: "silent", ...options });
  onTestFinished(() => gateway.stop());
  const { url } = await gateway.start();
  return { url, env: { YAGATE_BASE_URL: url, YAGATE_API_KEY: apiKey } };
}
