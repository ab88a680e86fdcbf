import { once } from "node:events";
import { createServer } from "node:net";

const MAX_TRIES = 3;

/** Starts something on a free port, and on another one if a different process takes the first. */
export async function onFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (tries === MAX_TRIES || !String(error).includes("Address already in use")) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  return address.port;
}
