import { YagateError } from "@yagate/protocol";
import { whyNoResponse } from "../no-response.ts";

const DEFAULT_PORT = "4820";
const DEFAULT_TIMEOUT_MS = 5_000;
/** Addresses that stand for every interface, each with the address that reaches such a gateway from this machine. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["", "0.0.0.0", "::"]);

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the URL of the gateway in the same container or on the same machine, as `yagate serve` would listen. */
export function ownUrl({ YAGATE_HOST: host = "", YAGATE_PORT: port = "" }: Environment): string {
  const address = EVERY_ADDRESS.has(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${address}:${port === "" ? DEFAULT_PORT : port}`;
}

/**
 * Asks the gateway of this machine whether its process responds, and nothing else: restarting a container does not help
 * if its database is down.
 *
 * @throws YagateError `UNAVAILABLE` unless `/healthz` responds with 200.
 */
export async function checkLive(environment: Environment, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<void> {
  const url = `${ownUrl(environment)}/healthz`;
  const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    (error: unknown) => whyNoResponse(error, url, timeoutMs),
  );
  if (answer === 200) return;
  throw new YagateError("UNAVAILABLE", typeof answer === "string" ? answer : `${url} responds with ${answer}`, {
    hint: "check that the gateway is running, and that YAGATE_HOST and YAGATE_PORT are those of the gateway",
  });
}
