import type { OptionSpec } from "./command-spec.ts";

const CONNECTION = "Connection";
const OUTPUT = "Output and prompts";

/** The options of every command, which may be anywhere on the command line. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: "--url <url>", group: CONNECTION, text: "URL of the gateway (default: YAGATE_BASE_URL, then the profile)" },
  {
    flags: "--api-key-file <file>",
    group: CONNECTION,
    text: "file with the API key (default: YAGATE_API_KEY, then the profile)",
  },
  {
    flags: "--profile <name>",
    group: CONNECTION,
    text: "saved URL and key; see yagate login (default: YAGATE_PROFILE, then default)",
  },
  {
    flags: "--timeout <duration>",
    group: CONNECTION,
    text: "stop waiting after this time, such as 30s, 10m, 2h or 1d, with exit status 5",
  },
  { flags: "--json", group: OUTPUT, text: "print JSON: one document, or one object per line for streams" },
  { flags: "--quiet", group: OUTPUT, text: "print results and errors only" },
  { flags: "--no-input", group: OUTPUT, text: "never prompt; fail if input is needed" },
  { flags: "--yes", group: OUTPUT, text: "answer yes to every confirmation" },
  { flags: "--no-color", group: OUTPUT, text: "print without colours, as with NO_COLOR" },
  { flags: "--debug", group: OUTPUT, text: "print requests and stack traces to standard error" },
];
