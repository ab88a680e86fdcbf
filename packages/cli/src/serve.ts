import { configFromEnvironment, createGateway } from "@yagate/gateway";
import { dataPlace } from "./data-place.ts";
import { runUntilSignal } from "./run-until-signal.ts";

/** Runs a gateway from the environment until it is told to stop. */
export async function serve(): Promise<void> {
  const config = configFromEnvironment(process.env, {
    defaults: { logLevel: "info" },
    required: ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS"],
    hint: "yagate serve --help says how to make the keys; yagate dev makes its own",
  });
  await runUntilSignal(createGateway(config), (url) => `Yagate listens on ${url} (data in ${dataPlace(config)})`);
}
