import type { OpenedHosts } from "./opened-hosts.ts";

/** Describes an allowed host, with its scheme and ports if they differ from the defaults. */
export function approvedText(host: string, ports: ReadonlySet<number>, isOpened: OpenedHosts): string {
  const isUsual = ports.size === 1 && ports.has(443);
  const named = `${ports.size === 1 ? "port" : "ports"} ${[...ports].join(", ")}`;
  if (isOpened(host)) return `${host} (https${isUsual ? "" : ` on ${named}`}, or http on any port)`;
  return isUsual ? host : `${host} (${named})`;
}
