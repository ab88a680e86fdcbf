import { Pool } from "undici";
import { type DriverSide, runServedBlock } from "../block-driver.ts";
import { messageOf, startDriver } from "../driver.ts";

interface ServedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a server driver sends when it listens. */
export interface ServedRequests {
  readonly url: string;
  /** Responds when the execution has ended. */
  readonly execute: ServedRequest;
  /** Responds with events until the execution has ended. */
  readonly stream: ServedRequest;
}

const FINAL_TEXT = "It is shipped.";

/** A server in a separate process. This process sends the requests; the CPU time of a block is the server's. */
export async function openServedSide(mode: "execute" | "stream", args: readonly string[]): Promise<DriverSide> {
  const child = startDriver(new URL("server-driver.ts", import.meta.url), args);
  const served = await messageOf<ServedRequests>(child);
  const { path, headers, body } = served[mode];
  const pool = new Pool(served.url, { connections: 256 });

  async function request(): Promise<void> {
    const response = await pool.request({ method: "POST", path, headers: { ...headers }, body });
    const text = await response.body.text();
    if (response.statusCode >= 300 || !text.includes(FINAL_TEXT)) {
      throw new Error(`unexpected response: ${response.statusCode} ${text.slice(0, 500)}`);
    }
  }

  return {
    child,
    run: (load) => runServedBlock(child, request, load),
    close() {
      void pool.destroy();
      child.disconnect();
    },
  };
}
