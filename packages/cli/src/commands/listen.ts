import type { CommandSpec } from "../frame/command-spec.ts";
import { SECRET_NOTE, SECRET_OPTIONS } from "../signing-secrets/secret-sources.ts";
import { GROUPS } from "./groups.ts";

export const listen: CommandSpec = {
  name: "listen",
  summary: "Receive tool calls on this machine: verify and print them, then respond to them or forward them",
  group: GROUPS.handlers,
  options: [
    { flags: "-p, --port <port>", text: "port to listen on (default: 4830, or the next free one)" },
    {
      flags: "--forward-to <url>",
      text: "send each accepted call to this URL, with its signature and its bytes, and return the response",
    },
    { flags: "--allow-remote", text: "forward calls to another machine" },
    { flags: "--respond <json>", text: 'result of each call, as JSON (default: {"received":true})' },
    {
      flags: "--fail <n/m>",
      text: "fail the first n of every m calls with HTTP 503; the gateway retries them if `retries` of the tool is above 0",
    },
    { flags: "--delay <duration>", text: "wait before each response, such as 2s" },
    ...SECRET_OPTIONS,
  ],
  examples: [
    "yagate listen",
    `yagate listen --respond '{"status":"shipped"}' --fail 1/3`,
    "yagate listen --forward-to http://localhost:3000/tools --delay 500ms",
  ],
  notes: [
    SECRET_NOTE,
    "The command listens on 127.0.0.1 only. It prints one entry for each request: the verdict, the arguments and the response. A call that is not genuine gets 401, with the cause in the output.",
    "It responds to calls of any tool, but describes none: set its URL as the handler of a tool, not as a tool source.",
  ],
  page: "local-calls",
  output: { schema: "ReceivedCall", isStream: true },
  run: async ({ open, options }) => (await import("../listen/listen.ts")).listen(await open(), options),
};
