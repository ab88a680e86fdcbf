import { YagateError } from "@yagate/protocol";

const DEFAULT_PORT = "4820";
const DEFAULT_TIMEOUT_MS = 5_000;
/** Addresses that mean every interface, and the address at which such a gateway is reached here. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["", "0.0.0.0", "::"]);

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the URL of the gateway in the same container or on the same machine, as `yagate serve` would listen. */
export function ownUrl({ YAGATE_HOST: host = "", YAGATE_PORT: port = "" }: Environment): string {
  const address = EVERY_ADDRESS.has(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${address}:${port === "" ? DEFAULT_PORT : port}`;
}

/**
 * Asks the gateway of this machine whether its process responds, and nothing else: a container that is restarted because
 * its database is down gains nothing.
 *
 * @throws YagateError `UNAVAILABLE` unless `/healthz` responds with 200.
 */
export async function checkLive(environment: Environment, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<void> {
  const url = `${ownUrl(environment)}/healthz`;
  const status = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => undefined,
  );
  if (status === 200) return;
  const what = status === undefined ? `does not respond within ${timeoutMs} ms` : `responds with ${status}`;
  throw new YagateError("UNAVAILABLE", `${url} ${what}`, {
    hint: "check that the gateway runs, and that YAGATE_HOST and YAGATE_PORT are those of the gateway",
  });
}
