import { completeConfig, configFromEnvironment, createGateway, variableOf } from "@yagate/gateway";
import { YagateError } from "@yagate/protocol";
import { untilSignal } from "./until-signal.ts";

/** Runs a gateway from the environment until it is told to stop. */
export async function serve(): Promise<void> {
  const settings = configFromEnvironment(process.env);
  const missing = ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS"].filter((name) => (process.env[name] ?? "") === "");
  if (missing.length > 0) {
    throw new YagateError("INVALID_REQUEST", `expected ${missing.join(" and ")} in the environment`, {
      hint: "yagate serve --help shows how to make them; yagate dev makes its own",
    });
  }
  const config = completeConfig(settings, variableOf);
  const gateway = createGateway({ ...config, logLevel: process.env["YAGATE_LOG_LEVEL"] ? config.logLevel : "info" });
  const { url } = await gateway.start();
  console.log(`Yagate listens on ${url}`);
  await untilSignal(gateway);
}
