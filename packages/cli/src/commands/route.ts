import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const route: CommandSpec = {
  name: "route",
  summary: "Show which capabilities would serve an execution, and why; nothing runs",
  group: GROUPS.workspace,
  arguments: [
    { name: "<agent>", text: "name of the agent, or agt_…" },
    { name: "<input...>", text: "input of the execution" },
  ],
  options: [
    {
      flags: "--routing <json>",
      text: "JSON with the routing of the execution, such as its scopes and data class; - reads standard input",
    },
    { flags: "--metadata <json>", text: "JSON with the metadata of the execution, which rules may read" },
  ],
  examples: [
    'yagate route "Order desk" "Where is ORD-7?"',
    `yagate route "Order desk" "Where is ORD-7?" --routing '{"dataClass":"public"}'`,
  ],
  scopes: ["agents", "executions"],
  statuses: {
    0: "Every required intent is served.",
    1: "A required intent is not served: the execution would fail with NO_ROUTE.",
  },
  page: "routing#see-a-decision",
  output: { schema: "RoutePreview" },
  run: async ({ args: [agent = "", ...input], open, options }) =>
    (await import("../routing/route.ts")).showRoute(await open(), agent, input, options),
};
