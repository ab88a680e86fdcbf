import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as pass } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { startTcpServer } from "./support/servers.ts";

const CALLING_PROCESS = fileURLToPath(new URL("support/calling-process.ts", import.meta.url));
const RESPONSE = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

it("a process that was frozen sends no call over a connection that the server closed in the meantime", async () => {
  const closed = new Set<Socket>();
  const open = new Set<Socket>();
  let lostCalls = 0;
  const server = await startTcpServer((socket) => {
    open.add(socket);
    socket.on("data", () => {
      // As after a sleep of the machine: the client has not received the end of the connection.
      if (closed.has(socket)) {
        lostCalls += 1;
        socket.resetAndDestroy();
      } else {
        socket.write(RESPONSE);
      }
    });
  });
  const child = fork(CALLING_PROCESS, [`http://127.0.0.1:${server.port}/`], {
    execArgv: ["--conditions=@yagate/source"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await messageOf(child)).toBe("ready");
  for (let freeze = 0; freeze < 5; freeze += 1) {
    child.send("call");
    expect(await messageOf(child)).toBe(200);
    child.kill("SIGSTOP");
    await pass(300);
    for (const socket of open) closed.add(socket);
    // Arrives while the process is frozen, so it is handled before any timer.
    child.send("call");
    child.kill("SIGCONT");
    expect(await messageOf(child)).toBe(200);
  }
  expect(lostCalls).toBe(0);
  expect(closed.size).toBeGreaterThanOrEqual(5);
});

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, "message");
  return message;
}
