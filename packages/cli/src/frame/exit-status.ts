/** The exit statuses of every command. They are part of the interface: scripts depend on them. */
export const EXIT = {
  done: 0,
  answerIsNo: 1,
  usage: 2,
  unreachable: 3,
  unauthorized: 4,
  notFinished: 5,
  defect: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

export const STATUS_MEANINGS: Readonly<Record<ExitStatus, string>> = {
  0: "The command succeeded.",
  1: "The command ran, but the result is negative: an execution or a call failed, a check found a mismatch, a URL is blocked, or a handler does not conform.",
  2: "The command line, the configuration or the request is invalid. Nothing was changed.",
  3: "The gateway, or the handler under test, could not be reached.",
  4: "The API key lacks a scope, is unknown or has expired.",
  5: "The time limit of --timeout was reached. An execution that was started continues.",
  70: "The command has a bug. Run it again with --debug and report what it prints.",
  130: "The command was interrupted (SIGINT, Ctrl+C).",
  143: "The command was terminated (SIGTERM).",
};
