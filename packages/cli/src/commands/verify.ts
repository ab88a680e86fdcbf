import type { CommandSpec } from "../frame/command-spec.ts";
import { SECRET_NOTE, SECRET_OPTIONS } from "../signing-secrets/secret-sources.ts";
import { GROUPS } from "./groups.ts";

export const verify: CommandSpec = {
  name: "verify",
  summary: "Check whether a saved request is a genuine tool call, and explain why if it is not",
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
    { flags: "--entry <number>", text: "number of the request in a HAR file, starting at 1" },
    { flags: "--attempt <id>", text: "compare with this attempt (att_…) as the gateway sent it" },
    ...SECRET_OPTIONS,
    {
      flags: "--audience <url>",
      text: "URL of the handler, exactly as saved in the tool: reject a call for another URL",
    },
    {
      flags: "--tolerance <seconds>",
      text: "how far the call's timestamp may be in the past or the future (default: 300)",
    },
    { flags: "--at <time>", text: 'time at which to check the age: "now", or a time such as 2026-01-15T18:02:11Z' },
  ],
  examples: [
    "yagate verify request.http",
    `yagate verify -H "X-YA-Signature: $SIGNATURE" --body-file body.json --secret-file secret.txt`,
    "yagate verify capture.har --secret-env OLD_SECRET --secret-env NEW_SECRET --json",
    "yagate verify request.http --attempt att_01jd3v0c8me9kxt3f6r2p5q7sa",
  ],
  notes: [
    SECRET_NOTE,
    "The age of a saved request is reported but not checked, unless --at is set or the file says when the request was sent.",
    "Only --attempt needs a gateway, and an API key with the scope executions.",
    "The report contains no secret, no signature and no argument value.",
  ],
  statuses: {
    0: "The request is accepted.",
    1: "The request is rejected.",
    2: "The request could not be checked: no input, no valid secret, or an invalid option.",
  },
  page: "verifying-requests",
  output: { schema: "VerifyReport" },
  run: async ({ args: [request], open, options }) =>
    (await import("../verify/command.ts")).verify(await open(), request, options),
};
