import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach } from "vitest";

/** A revision of the protocol: 2026-07-28, or 2025-11-25. */
export type Era = "modern" | "legacy";

const MODES: Readonly<Record<Era, ClientOptions>> = {
  modern: { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  legacy: { versionNegotiation: { mode: "legacy" } },
};

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

/** Connects the official client, as an MCP host does, until the end of the test. */
export async function connectHost(era: Era, { url, key }: { readonly url: string; readonly key: string }) {
  const client = new Client({ name: "host", version: "1" }, MODES[era]);
  clients.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  return client;
}
