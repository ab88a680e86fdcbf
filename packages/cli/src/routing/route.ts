import { jsonObjectSchema, type RoutePreview, routeRequestSchema, toVisibleLine } from "@yagate/protocol";
import { findAgent } from "../agents/find-agent.ts";
import { checkedBody } from "../frame/checked-body.ts";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readJsonArgument } from "../read-text.ts";
import { table } from "../text/table.ts";
import { describeRefusal, describeRouting } from "./describe-refusal.ts";

interface RouteOptions {
  /** JSON, or `-` for standard input. */
  readonly routing?: string;
  readonly metadata?: string;
}

/** Prints which capabilities would serve an execution. The exit status is 1 if a required intent is not served. */
export async function showRoute(
  invocation: Invocation,
  nameOrId: string,
  words: readonly string[],
  { routing, metadata }: RouteOptions,
): Promise<void> {
  const given = {
    input: words.join(" "),
    ...(routing === undefined
      ? {}
      : { routing: await readJsonArgument(routing, "--routing", '{"dataClass":"public"}') }),
    ...(metadata === undefined
      ? {}
      : { metadata: jsonObjectSchema.parse(await readJsonArgument(metadata, "--metadata", '{"tier":"gold"}')) }),
  };
  const request = checkedBody(routeRequestSchema, given);
  const client = await invocation.client();
  const { id } = await findAgent(client, nameOrId);
  const preview = await client.agents.route(id, request);
  invocation.output.result(preview, () => describe(preview));
  if (preview.unserved.length > 0) process.exitCode = EXIT.answerIsNo;
}

function describe(preview: RoutePreview): string {
  const { intents, rules, toolChoice, tools, unserved } = preview;
  const rows = intents.flatMap(({ intent, reason, visibility, chosen, candidates, refused }) => [
    [intent, chosen ?? (visibility === "hidden" ? "-" : "not served"), `${visibility} (${reason})`],
    ...candidates.map(({ key, score }) => ["", key, `score ${score}`]),
    ...Object.entries(refused).map(([key, code]) => ["", key, describeRefusal(key, code, preview)]),
  ]);
  return [
    `Routing: ${describeRouting(preview)}`,
    ...(rows.length === 0 ? ["The agent has no intents."] : [table([["INTENT", "CAPABILITY", "REASON"], ...rows])]),
    ...(rules.length === 0 ? [] : [`Rules that apply: ${rules.map(({ name }) => toVisibleLine(name)).join(", ")}`]),
    `Tool choice: ${toolChoice}`,
    `Tools of the first model turn: ${tools.length === 0 ? "none" : tools.map(toVisibleLine).join(", ")}`,
    ...(unserved.length === 0 ? [] : [`Not served, so the execution would fail with NO_ROUTE: ${unserved.join(", ")}`]),
  ].join("\n");
}
