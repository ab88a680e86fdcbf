import { configFromEnvironment, createGateway } from "@yagate/gateway";
import { dataPlace } from "./data-place.ts";
import { listeningPlace } from "./listening-place.ts";
import { requirePrivateData } from "./private-data.ts";
import { runUntilSignal } from "./run-until-signal.ts";
import { startTracing } from "./tracing/start-tracing.ts";

/** Runs a gateway from the environment until it is told to stop. */
export async function serve(): Promise<void> {
  const config = configFromEnvironment(process.env, {
    defaults: { logLevel: "info" },
    required: ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS"],
    requiresStrongKeys: true,
    hint: "yagate serve --help says how to make the keys; yagate dev makes its own",
  });
  requirePrivateData(config);
  const tracing = await startTracing(process.env, (text) => console.error(`yagate: ${text}`));
  const { tracerProvider } = tracing ?? {};
  const gateway = createGateway({ ...config, ...(tracerProvider === undefined ? {} : { tracerProvider }) });
  await runUntilSignal(
    gateway,
    (url) => `Yagate listens on ${listeningPlace(url, config.host)} (data in ${dataPlace(config)})`,
  );
  await tracing?.shutdown();
}
