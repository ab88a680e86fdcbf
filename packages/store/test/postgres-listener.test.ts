import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { Sockets } from "../src/postgres/connection-settings.ts";
import { Listener } from "../src/postgres/listener.ts";

it("a server that refuses connections is tried after pauses that double", async () => {
  const attempts: number[] = [];
  const fourth = Promise.withResolvers<void>();
  const server = createServer((client) => {
    attempts.push(performance.now());
    client.destroy();
    if (attempts.length === 4) fourth.resolve();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  const listener = new Listener({
    databaseUrl: `postgres://tester@127.0.0.1:${address.port}/test`,
    sockets: new Sockets(),
    channels: new Map([["notices", () => {}]]),
    onListening: () => fourth.reject(new Error("expected no connection")),
  });
  onTestFinished(() => listener.close());
  await fourth.promise;
  const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? at));
  // A busy machine only makes them longer. A timer may be a millisecond early.
  for (const [index, atLeastMs] of [200, 400, 800].entries()) expect(pauses[index]).toBeGreaterThan(atLeastMs - 2);
});
