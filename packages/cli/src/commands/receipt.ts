import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const receipt: CommandSpec = {
  name: "receipt",
  summary: "Print the receipt of an execution: what it did, signed by the gateway",
  group: GROUPS.executions,
  arguments: [{ name: "[execution]", text: "exec_…" }],
  options: [{ flags: "--text", text: "print readable text instead of JSON" }],
  examples: [
    "yagate receipt exec_01jd3v0c8me9kxt3f6r2p5q7sa --text",
    "yagate receipt exec_01jd3v0c8me9kxt3f6r2p5q7sa > receipt.json",
  ],
  scopes: ["executions"],
  statuses: {
    0: "The stored record is unchanged, or unchanged so far if the execution is still running.",
    1: "The record was changed.",
  },
  page: "receipts",
  output: { schema: "Receipt" },
  run: async ({ args: [id], open, options }) =>
    (await import("../receipt/print.ts")).printReceipt(await open(), id, options["text"] === true),
  commands: [
    {
      name: "verify",
      summary: "Verify a saved receipt",
      arguments: [{ name: "<file>", text: "receipt as JSON; - reads standard input" }],
      options: [
        {
          flags: "--jwks <url or file>",
          text: "key set of the workspace (default: from the gateway)",
        },
      ],
      examples: ["yagate receipt verify receipt.json", "yagate receipt verify receipt.json --jwks jwks.json"],
      notes: ["The command needs no API key. With a key set from a file, it needs no gateway either."],
      statuses: {
        0: "The receipt is genuine.",
        1: "The receipt is not genuine.",
        2: "The receipt could not be verified: the file does not exist or is not a receipt.",
      },
      page: "receipts",
      output: { schema: "ReceiptVerdict" },
      run: async ({ args: [file = ""], open, options }) =>
        (await import("../receipt/verify.ts")).verify(await open(), file, options["jwks"]),
    },
  ],
};
