import { type InputRequest, inputRequestStatusSchema, toVisibleLine, YagateError } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";
import { wholeNumberOf } from "../whole-number.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const ALL = "all";

export interface ListInputsOptions {
  readonly status?: string;
  readonly limit?: string;
}

/**
 * Prints the questions of the workspace's tool calls.
 *
 * @throws YagateError `INVALID_REQUEST` for an unknown status, or a limit that is out of range.
 */
export async function listInputs(
  invocation: Invocation,
  { status = "pending", limit = String(DEFAULT_LIMIT) }: ListInputsOptions,
): Promise<void> {
  const query = {
    limit: wholeNumberOf(limit, "--limit", { min: 1, max: MAX_LIMIT }),
    ...(status === ALL ? {} : { status: statusOf(status) }),
  };
  const { data, nextCursor } = await (await invocation.client()).inputRequests.list(query).page();
  invocation.output.result(data, () => describe(data, status));
  if (nextCursor !== null) invocation.output.note("There are more input requests: use --limit and --status.");
}

function statusOf(text: string) {
  const status = inputRequestStatusSchema.safeParse(text);
  if (status.success) return status.data;
  const known = [...inputRequestStatusSchema.options, ALL].join(", ");
  throw new YagateError("INVALID_REQUEST", `expected --status to be one of ${known}`);
}

function describe(requests: readonly InputRequest[], status: string): string {
  if (requests.length === 0)
    return status === "pending" ? "No tool call is waiting for input." : "No input request has this status.";
  const rows = requests.map(({ toolCallId, round, status: each, expiresAt, tool, agentName, questions }) => [
    ...[toolCallId, String(round), each, expiresAt, tool.name, agentName],
    toVisibleLine(questions.map(({ message }) => message).join(" | ")),
  ]);
  return table([["TOOL CALL", "ROUND", "STATUS", "EXPIRES", "TOOL", "AGENT", "QUESTIONS"], ...rows]);
}
