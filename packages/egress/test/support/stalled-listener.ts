import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

/** Listens with the shortest queue, then sleeps: the kernel completes a few handshakes and drops all further ones. */
const SLEEPING_LISTENER = `
  const { parentPort } = require("node:worker_threads");
  const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;

/** A port of 127.0.0.1 that neither accepts nor refuses: connecting to it hangs, as to a host behind a firewall. */
export async function stalledPort(): Promise<number> {
  const worker = new Worker(SLEEPING_LISTENER, { eval: true, execArgv: [] });
  const port: unknown = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  if (typeof port !== "number") {
    throw new Error("the listener did not say its port");
  }
  const queue: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of queue) {
      socket.destroy();
    }
    await worker.terminate();
  });
  while (await isAccepted(port, queue));
  return port;
}

/** Whether one more handshake is completed. On loopback it either is at once or never. */
function isAccepted(port: number, queue: Socket[]): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    queue.push(socket);
    // On a busy machine the time may be over before the event loop has reported the handshake.
    const timer = setTimeout(() => setImmediate(() => resolve(!socket.connecting)), 200);
    socket.on("error", () => {});
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
