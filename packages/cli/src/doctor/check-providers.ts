import { lookup } from "node:dns/promises";
import { type CompleteConfig, providerBaseUrl } from "@yagate/gateway";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { parseHttpDate } from "@yagate/lib/http/http-date";
import { type Finding, findingsOf } from "./finding.ts";

const TIMEOUT_MS = 5_000;
/**
 * Handlers reject calls whose timestamp is 300 s away from their own clock; the clocks of other machines may be wrong,
 * too.
 */
const MAX_SKEW_SECONDS = 60;

type Providers = CompleteConfig["providers"];

/**
 * Checks each provider of the gateway: its name resolves, it responds, it accepts the key, and its clock agrees with
 * this machine's. The request lists models, which costs nothing.
 */
export async function checkProviders(providers: Providers): Promise<readonly Finding[]> {
  const named = Object.entries(providers).flatMap(([name, settings]) =>
    settings === undefined ? [] : [{ name, settings }],
  );
  if (named.length === 0) {
    const { warning } = findingsOf("providers");
    return [
      warning("no model provider is configured", "set a key such as OPENAI_API_KEY, or let workspaces set theirs"),
    ];
  }
  const checked = await Promise.all(named.map(({ name, settings }) => checkProvider(name, settings)));
  const dates = checked.flatMap(({ skewSeconds }) => (skewSeconds === undefined ? [] : [skewSeconds]));
  return [...checked.map(({ finding }) => finding), ...(dates.length === 0 ? [] : [clockFinding(dates)])];
}

interface CheckedProvider {
  readonly finding: Finding;
  /** How far this machine's clock is ahead of the provider's. */
  readonly skewSeconds?: number;
}

async function checkProvider(
  name: string,
  { apiKey, baseUrl }: { readonly apiKey?: string | undefined; readonly baseUrl?: string | undefined },
): Promise<CheckedProvider> {
  const { ok, failed, warning } = findingsOf(`provider ${name}`);
  const url = new URL(`${providerBaseUrl(name, baseUrl)}/models`);
  try {
    await lookup(hostNameOf(url));
  } catch {
    return { finding: failed(`${url.hostname} cannot be resolved`, "check the DNS of this machine and the base URL") };
  }
  let response: Response;
  try {
    const headers = headersFor(name, apiKey);
    response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
  } catch {
    const advice = "check the firewall, the proxy and the base URL";
    return { finding: failed(`${url.host} does not respond within ${TIMEOUT_MS / 1_000} s`, advice) };
  }
  const date = parseHttpDate(response.headers.get("date") ?? "");
  const skew = date === undefined ? {} : { skewSeconds: Math.round((Date.now() - date) / 1_000) };
  const { status } = response;
  if (status === 401 || status === 403) {
    return {
      finding: failed(`${url.host} rejects the key (HTTP ${status})`, "replace the key of this provider"),
      ...skew,
    };
  }
  if (status >= 500) {
    return { finding: warning(`${url.host} responds with HTTP ${status}`, "try again later"), ...skew };
  }
  const text =
    status === 200 ? `${url.host} accepts the key` : `${url.host} responds (HTTP ${status}); the key was not checked`;
  return { finding: ok(apiKey === undefined ? `${url.host} responds; no key is set` : text), ...skew };
}

function headersFor(name: string, apiKey: string | undefined): Readonly<Record<string, string>> {
  if (apiKey === undefined) return {};
  if (name === "anthropic") return { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
  if (name === "google") return { "x-goog-api-key": apiKey };
  return { authorization: `Bearer ${apiKey}` };
}

/** The clock of one provider may be wrong, so the smallest difference counts. */
function clockFinding(skews: readonly number[]): Finding {
  const { ok, failed } = findingsOf("clock");
  const [nearest = 0] = skews.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  if (Math.abs(nearest) <= MAX_SKEW_SECONDS) return ok("it agrees with the clocks of the providers");
  const direction = nearest > 0 ? "ahead of" : "behind";
  const message = `it is ${Math.abs(nearest)} s ${direction} the clocks of the providers`;
  return failed(message, "synchronise it: handlers reject calls that are 300 s old or in the future");
}
