import type { OpenedHosts } from "./opened-hosts.ts";

/** An approved host, and how it may be called unless that is https on the usual port. */
export function approvedText(host: string, ports: ReadonlySet<number>, isOpened: OpenedHosts): string {
  const isUsual = ports.size === 1 && ports.has(443);
  const named = `${ports.size === 1 ? "port" : "ports"} ${[...ports].join(", ")}`;
  if (isOpened(host)) return `${host} (https${isUsual ? "" : ` on ${named}`}, or http on any port)`;
  return isUsual ? host : `${host} (${named})`;
}
