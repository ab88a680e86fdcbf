import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { installedTool } from "../../../../scripts/installed-tool.ts";
import { complete, startTaskServer } from "../client/support/task-server.ts";

// The suite has no scenario about tasks for clients. The one for servers shows that the server against which the client
// is tested sends what the extension requires.
it("the server of the tests about tasks has the fields that the suite requires", { timeout: 60_000 }, async () => {
  const server = await startTaskServer({
    tools: {
      slow_compute(task) {
        setTimeout(() => task.status === "working" && complete(task, "42"), 1_000).unref();
        return undefined;
      },
    },
  });
  const suite = [installedTool("@modelcontextprotocol/conformance", "conformance"), "server"];
  const options = ["--url", server.url, "--scenario", "tasks-wire-fields"];
  const { stdout } = await promisify(execFile)(process.execPath, [...suite, ...options]);
  expect(stdout).toContain("4/4, 0 failed");
});
