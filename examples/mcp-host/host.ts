import { readFile } from "node:fs/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";

/** The files with which hosts are configured: one that connects to a URL, and one that starts a command. */
export const CONFIGURATIONS = ["host-http.json", "host-stdio.json"] as const;

const textsSchema = z.record(z.string(), z.string());
const configurationSchema = z.object({
  mcpServers: z.object({
    yagate: z.union([
      z.object({ type: z.literal("http"), url: z.string(), headers: textsSchema }),
      z.object({ command: z.string(), args: z.array(z.string()), env: textsSchema }),
    ]),
  }),
});

/**
 * Connects the official client as an MCP host does: it reads its configuration, in which variables such as
 * `${YAGATE_API_KEY}` stand for values of the environment.
 */
export async function connectHost(
  file: (typeof CONFIGURATIONS)[number],
  environment: Readonly<Record<string, string>>,
): Promise<Client> {
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  const filled = text.replaceAll(/\$\{(\w+)\}/g, (_variable, name: string) => environment[name] ?? "");
  const { yagate } = configurationSchema.parse(JSON.parse(filled)).mcpServers;
  const host = new Client({ name: "example-host", version: "1.0.0" });
  await host.connect(
    "url" in yagate
      ? new StreamableHTTPClientTransport(new URL(yagate.url), { requestInit: { headers: yagate.headers } })
      : new StdioClientTransport({ ...yagate, env: { ...environment, ...yagate.env } }),
  );
  return host;
}
