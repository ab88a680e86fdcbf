import { describe, expect, it } from "vitest";
import { STATUS_MEANINGS } from "../../src/frame/exit-status.ts";
import { runCheck, spawnCheck } from "../support/run-check.ts";

describe("yagate help", () => {
  it("prints the tree of the commands, and a part of it", async () => {
    const tree = JSON.parse((await runCheck(["help", "--json"])).stdout);
    expect(tree.globalOptions.map(({ flags }: { flags: string }) => flags)).toEqual([
      ...["--url <url>", "--api-key-file <file>", "--profile <name>", "--timeout <duration>"],
      ...["--json", "--quiet", "--no-input", "--yes", "--no-color", "--debug"],
    ]);
    const agents = tree.commands.find(({ command }: { command: string }) => command === "agents");
    const part = JSON.parse((await runCheck(["help", "agents", "create", "--json"])).stdout);
    expect(agents.commands).toContainEqual(part);
    expect(part).toMatchObject({
      usage: "yagate agents create <file>",
      output: { $ref: "#/$defs/Agent", isStream: false },
    });
  });

  it("explains the exit statuses, for people and for programs", async () => {
    const { stdout } = await runCheck(["help", "exit-codes"]);
    for (const status of Object.keys(STATUS_MEANINGS)) expect(stdout).toMatch(new RegExp(`^ {2}${status} +[A-Z]`, "m"));
    expect(JSON.parse((await runCheck(["help", "exit-codes", "--json"])).stdout)).toEqual(STATUS_MEANINGS);
  });

  it("prints the schemas of what --json prints", async () => {
    expect(JSON.parse((await runCheck(["help", "json"])).stdout)).toHaveProperty("$defs.Problem");
  });

  it("says the same as --help", async () => {
    const [help, option] = await Promise.all([spawnCheck(["help", "exec"]), spawnCheck(["exec", "--help"])]);
    expect(help).toEqual(option);
  });

  it("knows no other topic", async () => {
    expect(await runCheck(["help", "agents", "nope"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('there is no command or topic "agents nope"'),
    });
  });
});
