import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Mounted } from "./adapter.ts";
import { connectTo } from "./connect.ts";

/** Serves a listener on a free port of this machine. */
export async function mountServer(listener: http.RequestListener): Promise<Mounted> {
  const server = http.createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...connectTo({ port: portOf(server.address()), path: "/tools" }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The port of a server's own description of where it listens. */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return address.port;
}
