import type { CompleteConfig } from "@yagate/gateway";
import { holderOfPort, isPortTaken } from "../gateway/free-port.ts";
import { ownUrl } from "./check-live.ts";
import { type Finding, findingsOf } from "./finding.ts";

const TIMEOUT_MS = 3_000;

/** Checks whether the port is free, or a ready gateway listens on it. */
export async function checkPort({ host, port }: CompleteConfig): Promise<Finding> {
  const { ok, failed } = findingsOf("port");
  if (!(await isPortTaken(host, port))) return ok(`${host}:${port} is free; no gateway runs here`);
  const url = `${ownUrl({ YAGATE_HOST: host, YAGATE_PORT: `${port}` })}/readyz`;
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => undefined,
  );
  const text = (await response?.text().catch(() => "")) ?? "";
  if (response?.status === 200 && text.includes('"checks"')) return ok(`a ready gateway listens on ${host}:${port}`);
  if (response?.status === 503) return failed(`the gateway on port ${port} is not ready`, `read ${url}`);
  return failed(`port ${port} is in use by ${holderOfPort(port)}`, "stop that process, or set YAGATE_PORT");
}
