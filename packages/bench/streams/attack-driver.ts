import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** What a crowd of clients does to one gateway. */
export interface AttackTask {
  readonly port: number;
  /** As each client sends it. */
  readonly request: string;
  readonly clients: number;
  /**
   * When each client disconnects: immediately after its request, at the first byte of the response, or after `stayMs`
   * without reading anything.
   */
  readonly leaves: "after_sending" | "at_first_byte" | "unread";
  readonly stayMs: number;
}

const [text = ""] = process.argv.slice(2);
const { port, request, clients, leaves, stayMs }: AttackTask = JSON.parse(text);

async function attack(): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = once(socket, "close").catch(() => undefined);
  await once(socket, "connect");
  socket.write(request);
  await untilItLeaves(socket);
  socket.destroy();
  await closed;
}

async function untilItLeaves(socket: Socket): Promise<void> {
  if (leaves === "after_sending") return new Promise((resolve) => setImmediate(resolve));
  if (leaves === "at_first_byte") {
    await Promise.race([once(socket, "data"), once(socket, "close")]);
    return;
  }
  socket.pause();
  await new Promise((resolve) => setTimeout(resolve, stayMs));
}

await Promise.allSettled(Array.from({ length: clients }, attack));
process.send?.("over");
process.disconnect();
