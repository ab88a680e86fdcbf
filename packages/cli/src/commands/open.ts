import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const open: CommandSpec = {
  name: "open",
  summary: "Open the console of the gateway, or its page for an execution, a tool call or an approval",
  group: GROUPS.executions,
  arguments: [{ name: "[id]", text: "exec_…, tc_… or apr_…" }],
  examples: ["yagate open", "yagate open exec_01jd3v0c8me9kxt3f6r2p5q7sa"],
  notes: ["The command prints the URL. On a terminal, it also opens it in the browser of this machine."],
  page: "console",
  output: { schema: "ConsolePage" },
  run: async ({ args: [id], open: begin }) => (await import("../open/open.ts")).openConsole(await begin(), id),
};
