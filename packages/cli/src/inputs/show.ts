import { type InputRequest, type JsonObject, jsonObjectSchema, toVisibleLine } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import type { Invocation } from "../frame/invocation.ts";
import { shellWord } from "../text/shell-word.ts";
import { table } from "../text/table.ts";

const WARNING =
  "The MCP server wrote these texts. Never answer with a password or another secret, and check a URL before you open it.";

/** Prints the questions of a tool call, and the answers. */
export async function showInput(invocation: Invocation, toolCallId: string): Promise<void> {
  const request = await (await invocation.client()).inputRequests.get(toolCallId);
  invocation.output.result(request, () => describe(request));
}

function describe(request: InputRequest): string {
  const { toolCallId, tool, agentName, agentVersion, round, questions, resolution } = request;
  const rows = [
    ["status", request.status === "pending" ? `pending, until ${request.expiresAt}` : request.status],
    ["tool", `${tool.name}: ${tool.description}`],
    ["round", String(round)],
    ["requested at", request.requestedAt],
    ["agent", `${agentName}, version ${agentVersion}`],
    ["execution", request.executionId],
    ...(resolution?.answers === undefined
      ? []
      : [["answered", `${resolution.at} by ${resolution.keyId ?? "the bootstrap key"}`]]),
  ];
  const asked = questions.flatMap((question) => ["", ...linesOf(question, resolution?.answers?.[question.key])]);
  const commands = request.status === "pending" ? ["", ...commandsFor(request)] : [];
  return [toVisibleLine(toolCallId), "", table(rows), ...asked, "", WARNING, ...commands].join("\n");
}

function linesOf(
  { key, mode, message, schema, url }: InputRequest["questions"][number],
  answer: unknown,
): readonly string[] {
  const lines = [`${key} (${mode}): ${message}`, ...(url === undefined ? [] : [`  open ${url}`])];
  const given = answer === undefined ? [] : [`  answer: ${JSON.stringify(answer)}`];
  return [...lines, ...(schema === undefined ? [] : fieldLines(schema)), ...given].map(toVisibleLine);
}

/** Describes each field of a form by its schema. */
function fieldLines({ properties, required }: JsonObject): readonly string[] {
  const fields = jsonObjectSchema.safeParse(properties);
  if (!fields.success) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(fields.data).map(
    ([name, field]) => `  ${name}${needed.has(name) ? "" : " (optional)"}: ${JSON.stringify(field)}`,
  );
}

/** Returns the commands that answer the questions. They name the round, so that they never answer other questions. */
export function commandsFor({
  toolCallId,
  round,
  questions,
}: Pick<InputRequest, "toolCallId" | "round" | "questions">): readonly string[] {
  const answer = `${commandName()} inputs answer ${toolCallId} --round ${round}`;
  const [first, ...others] = questions;
  const hasForms = questions.some(({ mode }) => mode === "form");
  const single = first === undefined || others.length > 0 ? undefined : `${answer} --content '{ … }'`;
  // The MCP server wrote the keys, so they could contain commands for the shell.
  const answers = questions.map(({ key }) => `${JSON.stringify(key)}: { "action": … }`);
  const all = `${answer} --answers ${shellWord(`{ ${answers.join(", ")} }`)}`;
  return [hasForms ? (single ?? all) : `${answer} --accept`, `${answer} --decline`].map(toVisibleLine);
}
