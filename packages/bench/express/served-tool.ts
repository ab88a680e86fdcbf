import { sign } from "@yagate/protocol";
import { Pool } from "undici";
import { type DriverSide, runServedBlock } from "../block-driver.ts";
import { callBody } from "../call-body.ts";
import { messageOf, startDriver } from "../driver.ts";

const BODY_BYTES = 1_024;
const CONNECTIONS = 32;

/** A tool in a separate server process. This process sends the calls; the CPU time of a block is the server's. */
export async function openServedTool(side: string, secret: string): Promise<DriverSide> {
  const script = new URL("server-driver.ts", import.meta.url);
  const child = startDriver(script, [side, secret], [], { NODE_ENV: "production" });
  const pool = new Pool(await messageOf<string>(child), { connections: CONNECTIONS, pipelining: 1 });
  return {
    child,
    async run(load) {
      const calls = (await signedCalls(secret, load.operations)).values();
      return runServedBlock(
        child,
        async () => {
          const { value } = calls.next();
          if (value === undefined) throw new Error("expected a call for each operation");
          const headers = { "content-type": "application/json", "x-ya-signature": value.signature };
          const response = await pool.request({ path: "/tool", method: "POST", headers, body: value.body });
          const text = await response.body.text();
          if (response.statusCode !== 200) throw new Error(`a server answered ${response.statusCode}: ${text}`);
        },
        load,
      );
    },
    close() {
      void pool.destroy();
      child.disconnect();
    },
  };
}

interface SignedBody {
  readonly body: Uint8Array;
  readonly signature: string;
}

/** Each call has a different id, so that none gets a stored response. */
async function signedCalls(secret: string, count: number): Promise<readonly SignedBody[]> {
  const calls: SignedBody[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = callBody(Date.now(), BODY_BYTES);
    calls.push({ body, signature: await sign(body, [secret]) });
  }
  return calls;
}
