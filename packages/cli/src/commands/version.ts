import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const version: CommandSpec = {
  name: "version",
  summary: "Print the version of this command",
  group: GROUPS.cli,
  examples: ["yagate version", "yagate version --json"],
  output: { schema: "Version" },
  run: async ({ globals }) => {
    const { packageVersion } = await import("../package-version.ts");
    const { version: node, platform, arch } = process;
    const text = packageVersion();
    console.log(globals.json ? JSON.stringify({ version: text, node, platform, arch }, null, 2) : text);
  },
};
