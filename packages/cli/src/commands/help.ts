import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const help: CommandSpec = {
  name: "help",
  summary: "Explain a command, the exit statuses, the environment or the JSON output",
  group: GROUPS.cli,
  arguments: [{ name: "[topic...]", text: "a command, or exit-codes, environment, json" }],
  examples: ["yagate help agents create", "yagate help exit-codes", "yagate help environment", "yagate help json"],
  notes: [
    "yagate help json prints the JSON Schema of all --json output, including errors.",
    "yagate help --json prints all commands, arguments and options as JSON.",
  ],
  output: { schema: "CommandTree" },
  run: async (given) => (await import("../help/help.ts")).printHelp(given),
};
