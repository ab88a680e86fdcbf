import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { commandName } from "../src/command-name.ts";
import { commandsFor } from "../src/inputs/show.ts";

const run = promisify(execFile);

// The MCP server writes the keys, and people copy the commands.
it.each(["x'; echo PWNED; '", "$(echo PWNED)", "`echo PWNED`", "\\'; echo PWNED #", '"; echo PWNED; "'])(
  "a question with the key %j brings no command into the shell",
  async (key) => {
    const questions = [key, "other"].map((one) => ({ key: one, mode: "form" as const, message: "?" }));
    const [command = ""] = commandsFor({ toolCallId: "tc_1", round: 1, questions });
    const script = command.replace(`${commandName()} inputs answer`, "printf '%s\\n'");
    const { stdout } = await run("bash", ["-c", script]);
    const words = stdout.trimEnd().split("\n");
    expect(words.slice(0, 4)).toEqual(["tc_1", "--round", "1", "--answers"]);
    expect(words).toHaveLength(5);
    expect(words[4]).toContain(JSON.stringify(key));
  },
);
