import { configFromEnvironment, createGateway } from "@yagate/gateway";
import { defined } from "@yagate/lib/objects/defined";
import type { Invocation } from "../frame/invocation.ts";
import { dataPlace } from "./data-place.ts";
import { listeningPlace } from "./listening-place.ts";
import { requirePrivateData } from "./private-data.ts";
import { runUntilSignal } from "./run-until-signal.ts";
import { startTracing } from "./tracing/start-tracing.ts";

/** Runs a gateway, configured by the environment, until a signal stops it. */
export async function serve(invocation: Invocation): Promise<void> {
  const config = configFromEnvironment(process.env, {
    defaults: { logLevel: "info" },
    required: ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS"],
    requiresStrongKeys: true,
    hint: "yagate serve --help shows how to create the keys; yagate dev creates its own",
  });
  requirePrivateData(config);
  const tracing = await startTracing(process.env, (text) => console.error(`warning: ${text}`));
  const { tracerProvider } = tracing ?? {};
  const gateway = createGateway({ ...config, ...defined({ tracerProvider }) });
  const introduce = (url: string) => {
    const data = dataPlace(config);
    invocation.output.line(
      { type: "listening", url, data },
      () => `Yagate listens on ${listeningPlace(url, config.host)} (data in ${data})`,
    );
  };
  await runUntilSignal(gateway, invocation, { config, command: "serve", introduce });
  await tracing?.shutdown();
}
