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
    { flags: "--tool <name>", text: "harmless tool of the handler, which is really called several dozen times" },
    { flags: "--parameters <json>", text: "arguments that the tool accepts (default: {})" },
    { flags: "--parameters-file <file>", text: "like --parameters, from a file" },
    ...SECRET_OPTIONS,
    {
      flags: "--previous-secret-env <name>",
      text: "environment variable with a second secret that the handler accepts, as during a rotation",
    },
    { flags: "--previous-secret-file <file>", text: "file with a second secret that the handler accepts" },
    {
      flags: "--audience <url>",
      text: "URL of the handler, exactly as saved in its tools, if the handler checks the audience",
    },
    { flags: "--tolerance <seconds>", text: "maximum age of a call that the handler accepts (default: 300)" },
    {
      flags: "--counter-url <url>",
      text: "URL that returns how often the tool has run; for tools that always return the same result",
    },
    { flags: "--wrong-parameters <json>", text: "arguments that the tool must reject" },
    {
      flags: "--flaky-tool <name>",
      text: "tool that fails with retryable: true in attempt 1 and succeeds in attempt 2",
    },
    { flags: "--flaky-parameters <json>", text: "arguments of the flaky tool (default: {})" },
    { flags: "--require-signed-answers", text: "require signed responses, as requireSignedAnswer does" },
    {
      flags: "--slow-body <seconds>",
      text: "time within which the server must end a connection whose body arrives slowly (default: tested for 5 s, without a verdict)",
    },
    { flags: "--answer-timeout <seconds>", text: "time limit for each response (default: 5)" },
    { flags: "--allow-host <host>", text: "allow this host even if it is not this machine" },
    { flags: "--only <ids>", group: CASES, text: "run only these cases, separated by commas" },
    { flags: "--list", group: CASES, text: "print the cases without sending anything" },
    {
      flags: "--explain <case>",
      group: CASES,
      text: "print what a case tests, why, and what to do if it fails, without sending anything",
    },
    { flags: "--strict", group: REPORT, text: "fail if a required case has no verdict" },
    { flags: "--verbose", group: REPORT, text: "also print the cases that passed" },
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
    "The command really calls the tool: never run it against production. It connects only to the hosts of the URL and of --counter-url.",
    SECRET_NOTE,
    "The complete run takes at most 120 seconds, unless --timeout is set.",
  ],
  statuses: {
    0: "No required case failed.",
    1: "A required case failed.",
    2: "The test could not be run.",
    3: "The handler could not be reached.",
    5: "The time limit was reached before the last case.",
  },
  page: "conformance",
  output: { schema: "ConformanceReport" },
  keepsTimeout: true,
  run: async ({ args: [url], open, options }) =>
    (await import("../conformance/command.ts")).conformance(await open(), url, options),
};
