import type { Invocation } from "../frame/invocation.ts";
import { bridge } from "./bridge.ts";

/** Connects an MCP host on standard input and output to the gateway. */
export async function runBridge(invocation: Invocation): Promise<void> {
  const { url, apiKey } = await invocation.connection();
  await bridge({
    url: `${url.value.replace(/\/+$/, "")}/mcp`,
    apiKey: apiKey.value,
    input: process.stdin,
    write: (line) => process.stdout.write(`${line}\n`),
    note: (text) => invocation.output.note(text),
  });
}
