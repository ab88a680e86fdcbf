import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const REPORT = "Report";
const CASES = "Cases";

const from: CommandSpec = {
  name: "from",
  summary: "Create a case and its cassette from an ended execution",
  arguments: [{ name: "<execution>", text: "id of the execution (exec_…)" }],
  options: [
    { flags: "--case <id>", text: "id of the case (default: the id of the execution)", isRepeatable: true },
    {
      flags: "--folder <folder>",
      text: "folder for the case; the cassette is written to its folder cassettes (default: evals)",
    },
    { flags: "--with-input", text: "include the input, the caller and the metadata" },
  ],
  examples: ["yagate eval from exec_01jd3v0c8me9kxt3f6r2p5q7sa --case where-is-my-order --with-input"],
  notes: [
    "The case expects the same calls in the same order. Edit it until it states only what matters.",
    "Existing files are not replaced.",
  ],
  scopes: ["agents", "executions"],
  statuses: {
    2: "The execution has not ended, contains what looks like a secret, or a file exists. Nothing is written.",
  },
  page: "evals-in-ci#create-a-case-from-an-execution",
  output: { schema: "EvalFiles" },
  run: async ({ args: [id = ""], open, options }) =>
    (await import("../eval/from-execution.ts")).fromExecution(await open(), id, options),
};

export const evaluate: CommandSpec = {
  name: "eval",
  summary: "Run eval cases, and report whether agents do what the cases expect",
  group: GROUPS.evals,
  arguments: [{ name: "<files...>", text: "files with cases; a pattern such as 'evals/**/*.yaml' needs quotes" }],
  options: [
    { flags: "--case <id>", group: CASES, text: "run only this case; may be repeated", isRepeatable: true },
    { flags: "--tag <tag>", group: CASES, text: "run only cases with this tag; may be repeated", isRepeatable: true },
    { flags: "--replay", text: "run every case from its cassette; a case without one is an error" },
    { flags: "--live", text: "run every case live, even if it has a cassette" },
    { flags: "--record", text: "run every case live and once, and write its cassette" },
    { flags: "--with-input", text: "with --record: the cassettes contain the input, the caller and the metadata" },
    { flags: "--concurrency <number>", text: "number of runs at the same time, 1 to 64 (default: 4)" },
    { flags: "--max-cost <usd>", text: "skip the remaining cases once the runs have cost this much" },
    { flags: "--judge <agent>", text: "agent that grades llm-rubric assertions of cases that name none" },
    { flags: "--baseline <file>", group: REPORT, text: "compare with this earlier report, as --output writes it" },
    {
      flags: "--threshold <share>",
      group: REPORT,
      text: "how far the share of passed cases and each score may fall below the baseline (default: 0)",
    },
    { flags: "--output <file>", group: REPORT, text: "also write the report as JSON" },
    { flags: "--junit <file>", group: REPORT, text: "also write the report as JUnit XML" },
    { flags: "--markdown <file>", group: REPORT, text: "also write the report as Markdown" },
  ],
  examples: [
    "yagate eval evals/orders.yaml --record",
    "yagate eval 'evals/**/*.yaml'",
    "yagate eval evals/orders.yaml --replay --junit report.xml",
    "yagate eval evals/orders.yaml --live --max-cost 0.5 --output report.json",
    "yagate eval evals/orders.yaml --replay --baseline report.json --threshold 0.02",
  ],
  notes: [
    "Without --replay and --live, a case runs from its cassette if it has one.",
    "Files that end with .agent.yaml or .agent.json contain agents and are skipped. An agent that is a file is created before the run and archived after it. An execution that waits for a person is cancelled.",
    "Before a cassette is written, the gateway masks the secrets of the workspace. A cassette that still contains what looks like a secret is not written.",
    "With --baseline, cases that did not pass before may fail again. New cases must pass.",
  ],
  scopes: ["agents", "executions"],
  statuses: {
    0: "All cases passed; with --baseline, nothing is worse by more than the threshold.",
    1: "A case did not pass or was skipped; with --baseline, there is a regression.",
    2: "A file, a case or an option is invalid.",
    5: "The time limit was reached. The executions were cancelled.",
  },
  page: "evals-in-ci",
  output: { schema: "EvalReport" },
  commands: [from],
  keepsTimeout: true,
  handlesSignals: true,
  run: async ({ args, open, options }) => (await import("../eval/eval.ts")).evaluate(await open(), args, options),
};
