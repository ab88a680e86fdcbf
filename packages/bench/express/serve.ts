import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Express } from "express";

/** Listens, says where, and tells the CPU time that it has used whenever it is asked. */
export async function serve(app: Express): Promise<void> {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1_000);
  });
  process.on("disconnect", () => process.exit());
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
