import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

/** A stdio server of the official SDK. The first argument is a file to which each start adds the id of the process. */
const [, , pidFile = "", name = "env"] = process.argv;
appendFileSync(pidFile, `${process.pid}\n`);
process.stdout.write('this is no message\n{ "level": "info" }\n');
process.stderr.write("\u001b[31mready\u001b[0m\u0007 to\tserve\n");

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const empty = z.object({});

serveStdio(() => {
  const server = new McpServer({ name: "stdio-tools", version: "1.0.0" });
  server.registerTool(name, { description: "Returns the environment.", inputSchema: empty }, () =>
    text(JSON.stringify(process.env)),
  );
  server.registerTool("crash", { description: "Ends the process.", inputSchema: empty }, () => process.exit(3));
  server.registerTool("linger", { description: "Starts a process that stays.", inputSchema: empty }, () => {
    // It ignores SIGTERM, as does its parent from now on.
    process.on("SIGTERM", () => undefined);
    const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
    const { pid } = spawn(process.execPath, ["-e", code], { stdio: "inherit" });
    appendFileSync(pidFile, `${pid}\n`);
    return text("started");
  });
  return server;
});
