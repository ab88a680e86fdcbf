import { execFile } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { installedTool } from "../../../../scripts/installed-tool.ts";

/** The suite splits its command at spaces, so neither a path of this machine nor one of Node may be in it. */
const COMMAND = "node client-program.ts";
const cwd = fileURLToPath(new URL(".", import.meta.url));
const env = { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) };

it.each(["2025-11-25", "2026-07-28"])(
  "the client passes what applies to it of revision %s",
  async (revision) => {
    const suite = [installedTool("@modelcontextprotocol/conformance", "conformance"), "client"];
    // The file lists what does not apply, with the reasons.
    const expectedFailures = fileURLToPath(new URL(`client-${revision}.yml`, import.meta.url));
    const options = ["--command", COMMAND, "--requirements", revision, "--expected-failures", expectedFailures];
    const run = await promisify(execFile)(process.execPath, [...suite, ...options], { cwd, env }).then(
      ({ stdout }) => ({ isPassed: true, stdout }),
      // The suite exits with 1 if a scenario fails that is not listed, or one passes that is.
      ({ stdout }) => ({ isPassed: false, stdout }),
    );
    expect(run).toEqual({ isPassed: true, stdout: expect.stringContaining("SUITE SUMMARY") });
  },
  300_000,
);
