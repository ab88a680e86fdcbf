import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy in front of a database that loses what it should pass on. */
export interface DatabaseProxy {
  /** The database's URL by way of the proxy. */
  readonly url: string;
  /** Breaks every connection that is open. */
  cut(): void;
  /** Breaks every connection towards the client only: the database does not notice. */
  cutClients(): void;
  /** Ends every connection in the direction of the client only, in order; what the client still says is passed on. */
  halfClose(): void;
  /** From now on the next answer on each connection is lost, and the connection with it; what was asked has arrived. */
  loseAnswers(): void;
  /** From now on nothing arrives on either side, and no connection ends. */
  fallSilent(): void;
  /** From now on every connection ends as soon as it is made. */
  refuse(): void;
  /** Passes everything on again. */
  pass(): void;
  close(): Promise<void>;
}

type Mode = "pass" | "lose" | "silent" | "refuse";

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  let mode: Mode = "pass";

  const keep = (socket: Socket, sockets: Set<Socket>) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (mode === "refuse") {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    keep(client, clients);
    keep(upstream, servers);
    client.on("data", (data) => {
      if (mode !== "silent") upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (mode === "silent") return;
      if (mode !== "lose") {
        client.write(data);
        return;
      }
      client.destroy();
      upstream.destroy();
    });
    client.on("end", () => {
      if (mode !== "silent") upstream.end();
    });
    upstream.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  const url = new URL(databaseUrl);
  url.port = String(address.port);

  const destroyAll = (...groups: Set<Socket>[]) => {
    for (const socket of groups.flatMap((sockets) => [...sockets])) socket.destroy();
  };
  return {
    url: url.href,
    cut: () => destroyAll(clients, servers),
    cutClients: () => destroyAll(clients),
    halfClose() {
      for (const client of clients) client.end();
    },
    loseAnswers() {
      mode = "lose";
    },
    fallSilent() {
      mode = "silent";
    },
    refuse() {
      mode = "refuse";
      destroyAll(clients, servers);
    },
    pass() {
      mode = "pass";
    },
    async close() {
      server.close();
      destroyAll(clients, servers);
      await once(server, "close");
    },
  };
}
