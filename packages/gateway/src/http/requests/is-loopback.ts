import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Checks whether a gateway that listens on this host is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === "localhost";
  return loopback.check(host, family === 4 ? "ipv4" : "ipv6");
}
