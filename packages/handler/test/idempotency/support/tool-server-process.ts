import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import { callTool, type SignedCallOptions, type ToolAnswer } from "../../../src/testing.ts";
import type { StorePlace } from "./open-store.ts";
import { type ToolServerEvent, toolServerEventSchema } from "./tool-server-events.ts";

/** Whether this Node runs the server's sources as they are; Node 20 does not. */
export const canRunToolServers = Boolean(process.features.typescript);

const MAIN = fileURLToPath(new URL("tool-server.ts", import.meta.url));

/** A process that loads a database client takes long to start on a busy machine. */
const EVENT_WAIT_MS = 60_000;

/** A tool server as a test sees it. */
export interface ToolServerProcess {
  call(options: SignedCallOptions): Promise<ToolAnswer>;
  /** How often the tool has run so far. */
  runs(): number;
  /** Resolves when so many requests have arrived. */
  arrived(requests: number): Promise<void>;
  /** Resolves when the tool has begun to run. */
  ran(): Promise<void>;
  /** Lets the tool end, now and from now on. */
  letEnd(): void;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a tool server; it is gone after the test. */
export async function startToolServer(place: StorePlace): Promise<ToolServerProcess> {
  const child = fork(MAIN, [JSON.stringify(place)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const exited = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  const events: ToolServerEvent[] = [];
  child.on("message", (message) => events.push(toolServerEventSchema.parse(message)));
  const seen = (event: ToolServerEvent["event"]) => events.filter((each) => each.event === event).length;
  const atLeast = (event: ToolServerEvent["event"], times: number) =>
    vi.waitFor(() => {
      if (seen(event) < times) throw new Error(`expected ${times} × ${event}, saw ${seen(event)}`);
    }, EVENT_WAIT_MS);
  await atLeast("listening", 1);
  const port = events.flatMap((each) => (each.event === "listening" ? [each.port] : []))[0];
  return {
    call: (options) => callTool(fetch, { ...options, url: `http://127.0.0.1:${port}/` }),
    runs: () => seen("ran"),
    arrived: (requests) => atLeast("arrived", requests),
    ran: () => atLeast("ran", 1),
    letEnd: () => child.send("end"),
    kill,
  };
}
