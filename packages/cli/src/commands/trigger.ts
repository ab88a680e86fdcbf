import type { CommandSpec } from "../frame/command-spec.ts";
import { SECRET_NOTE, SECRET_OPTIONS } from "../signing-secrets/secret-sources.ts";
import { GROUPS } from "./groups.ts";

export const trigger: CommandSpec = {
  name: "trigger",
  summary: "Sign one tool call and send it to a handler, without a gateway",
  group: GROUPS.handlers,
  arguments: [{ name: "<tool>", text: "name of the tool" }],
  options: [
    { flags: "--to <url>", text: "URL of the handler", isRequired: true },
    {
      flags: "--param <name=value>",
      text: "argument of the call; may be repeated. Values that are valid JSON are sent as JSON, all others as strings",
      isRepeatable: true,
    },
    { flags: "--body <json>", text: "JSON object with the arguments; - reads standard input; --param adds to it" },
    { flags: "--attempt <number>", text: "number of the attempt (default: 1)" },
    { flags: "--age <duration>", text: "sign the call as if it had been sent this long ago, such as 10m" },
    { flags: "--tamper", text: "change the body after it is signed: the handler must reject the call" },
    { flags: "--times <number>", text: "send the same call this many times, 1 to 1000; a handler must run it once" },
    { flags: "--allow-remote", text: "allow a URL that is not on this machine" },
    ...SECRET_OPTIONS,
  ],
  examples: [
    "yagate trigger lookup_order --to http://localhost:3000/tools --param orderId=ORD-12345",
    `yagate trigger refund --to http://localhost:3000/tools --body '{"amount":5}' --times 3`,
    "yagate trigger lookup_order --to http://localhost:3000/tools --tamper",
  ],
  notes: [
    SECRET_NOTE,
    "The call really runs the tool. Without --allow-remote, it is sent only to loopback addresses.",
    "The command also checks the signature of the response. yagate conformance tests a handler against the complete contract.",
  ],
  statuses: { 0: "Each response has a 2xx status.", 1: "A response has another status." },
  page: "local-calls",
  output: { schema: "TriggeredCall", isStream: true },
  run: async ({ args: [tool = ""], open, options }) =>
    (await import("../trigger/trigger.ts")).trigger(await open(), tool, options),
};
