import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A TCP proxy in front of a gateway that breaks connections. */
export interface CuttingProxy {
  readonly url: string;
  readonly connections: number;
  /** Breaks the next connection on which the gateway says this, right after it was passed on. Repeatable. */
  cutAfter(text: string): void;
  /** Breaks every connection that is open. */
  cut(): void;
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  const cuts: string[] = [];
  let connections = 0;
  const server = createServer((downstream) => {
    connections += 1;
    const upstream = connect(Number(port), hostname);
    for (const socket of [downstream, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    downstream.pipe(upstream);
    upstream.on("data", (data: Buffer) => {
      const index = cuts.findIndex((text) => data.includes(text));
      if (index === -1) {
        downstream.write(data);
        return;
      }
      cuts.splice(index, 1);
      downstream.write(data, () => downstream.destroy());
      upstream.destroy();
    });
    upstream.on("end", () => downstream.end());
    downstream.on("close", () => upstream.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    get connections() {
      return connections;
    },
    cutAfter: (text) => cuts.push(text),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
