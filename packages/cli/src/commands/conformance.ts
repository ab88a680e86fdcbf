import type { CommandSpec } from "../frame/command-spec.ts";
import { SECRET_NOTE, SECRET_OPTIONS } from "../signing-secrets/secret-sources.ts";
import { GROUPS } from "./groups.ts";

const REPORT = "Report";
const CASES = "Cases";

export const conformance: CommandSpec = {
  name: "conformance",
  summary: "Test whether a handler accepts genuine calls and rejects forged ones",
  group: GROUPS.handlers,
  arguments: [{ name: "[url]", text: "URL of the handler, such as http://127.0.0.1:3000/tools" }],
  options: [
    { flags: "--tool <name>", text: "harmless tool of the handler; it really runs, several dozen times" },
    { flags: "--parameters <json>", text: "parameters that the tool accepts (default: {})" },
    { flags: "--parameters-file <file>", text: "the same from a file" },
    ...SECRET_OPTIONS,
    {
      flags: "--previous-secret-env <name>",
      text: "variable with a second secret that the handler accepts, as during a rotation",
    },
    { flags: "--previous-secret-file <file>", text: "the same from a file" },
    { flags: "--audience <url>", text: "URL of the handler as saved with its tools, if it checks the audience" },
    { flags: "--tolerance <seconds>", text: "maximum age of a call for this handler (default: 300)" },
    {
      flags: "--counter-url <url>",
      text: "URL that returns how often the tool has run, for tools whose result is always the same",
    },
    { flags: "--wrong-parameters <json>", text: "parameters that the tool must reject" },
    {
      flags: "--flaky-tool <name>",
      text: "tool that fails with retryable: true at attempt 1 and succeeds at attempt 2",
    },
    { flags: "--flaky-parameters <json>", text: "parameters of the flaky tool (default: {})" },
    { flags: "--require-signed-answers", text: "make signed responses a requirement, as requireSignedAnswer does" },
    {
      flags: "--slow-body <seconds>",
      text: "time after which the server must have ended a slow body (default: tried for 5 s, not judged)",
    },
    { flags: "--answer-timeout <seconds>", text: "time limit for a response in each case (default: 5)" },
    { flags: "--allow-host <host>", text: "allow this host although it is not this machine" },
    { flags: "--only <ids>", group: CASES, text: "run only these cases, separated by commas" },
    { flags: "--list", group: CASES, text: "print the cases without sending anything" },
    {
      flags: "--explain <case>",
      group: CASES,
      text: "print what a case tests, why, and what to do when it fails, without sending anything",
    },
    { flags: "--strict", group: REPORT, text: "fail when a required case could not be judged" },
    { flags: "--verbose", group: REPORT, text: "print the cases that passed, too" },
    { flags: "--junit <file>", group: REPORT, text: "also write the report as JUnit XML" },
  ],
  examples: [
    "yagate conformance http://127.0.0.1:3000/tools --tool ping",
    `yagate conformance http://localhost:3000/tools --tool lookup_order --parameters '{ "orderId": "ORD-12345" }' --junit report.xml`,
    "yagate conformance https://staging.example.com/tools --tool ping --allow-host staging.example.com",
    "yagate conformance http://127.0.0.1:3000/tools --tool ping --only replay,duplicates-at-once --verbose",
    "yagate conformance --explain duplicates-at-once",
  ],
  notes: [
    "It really calls the tool, and connects to no other host. Never run it against production.",
    SECRET_NOTE,
    "The whole run takes at most 120 seconds, unless --timeout says otherwise.",
  ],
  statuses: {
    0: "No required case failed.",
    1: "A required case failed.",
    2: "The test could not be run.",
    3: "The handler could not be reached.",
    5: "The time ran out before the last case.",
  },
  page: "conformance",
  output: { schema: "ConformanceReport" },
  keepsTimeout: true,
  run: async ({ args: [url], open, options }) =>
    (await import("../conformance/command.ts")).conformance(await open(), url, options),
};
