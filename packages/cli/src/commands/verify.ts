import type { CommandSpec } from "../frame/command-spec.ts";
import { SECRET_NOTE, SECRET_OPTIONS } from "../signing-secrets/secret-sources.ts";
import { GROUPS } from "./groups.ts";

export const verify: CommandSpec = {
  name: "verify",
  summary: "Say whether a saved request is a genuine tool call, and if not, why",
  group: GROUPS.handlers,
  arguments: [
    {
      name: "[request]",
      text: "file with the request: HTTP, HAR, or the gateway's record of an attempt; - reads standard input",
    },
  ],
  options: [
    {
      flags: "-H, --header <line>",
      text: 'header of the request, as "Name: value"; may be repeated; replaces headers of that name in the file',
      isRepeatable: true,
    },
    { flags: "--body-file <file>", text: "body of the request, byte for byte; - reads standard input" },
    { flags: "--entry <number>", text: "which request of a HAR file, from 1" },
    { flags: "--attempt <id>", text: "compare with this attempt (att_…), as the gateway sent it" },
    ...SECRET_OPTIONS,
    { flags: "--audience <url>", text: "URL of the handler as saved with the tool: refuse a call for another one" },
    { flags: "--tolerance <seconds>", text: "how old or how far ahead a call may be (default: 300)" },
    { flags: "--at <time>", text: 'judge the age at this time: "now", or such as 2026-01-15T18:02:11Z' },
  ],
  examples: [
    "yagate verify request.http",
    `yagate verify -H "X-YA-Signature: $SIGNATURE" --body-file body.json --secret-file secret.txt`,
    "yagate verify capture.har --secret-env OLD_SECRET --secret-env NEW_SECRET --json",
    "yagate verify request.http --attempt att_01jd3v0c8me9kxt3f6r2p5q7sa",
  ],
  notes: [
    SECRET_NOTE,
    "The age of a saved request is reported and not judged, unless --at names a time or the file says when the request was sent.",
    "Only --attempt needs a gateway and an API key, with the scope executions.",
    "The report holds no secret, no signature and no value of the parameters.",
  ],
  statuses: {
    0: "The request is accepted.",
    1: "The request is refused.",
    2: "It could not be judged: nothing to read, no valid secret, a wrong option.",
  },
  page: "verifying-requests",
  output: { schema: "VerifyReport" },
  run: async ({ args: [request], open, options }) =>
    (await import("../verify/command.ts")).verify(await open(), request, options),
};
