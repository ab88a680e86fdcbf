import { isDeepStrictEqual } from "node:util";
import type { Yagate } from "@yagate/client";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import {
  type Agent,
  createAgentSchema,
  type JsonObject,
  jsonObjectSchema,
  toVisibleLine,
  YagateError,
} from "@yagate/protocol";
import * as z from "zod";
import { checkedBody } from "../frame/checked-body.ts";
import type { Invocation } from "../frame/invocation.ts";
import { styled } from "../frame/style-text.ts";
import { withAgentDefaults } from "../gateway/configuration/agent-defaults.ts";
import { readText } from "../read-text.ts";
import { type DiffLine, diffLines, withoutDistantLines } from "../text/line-diff.ts";
import { withToolIds } from "./named-tools.ts";

export interface ApplyOptions {
  readonly file?: string;
  readonly dryRun?: boolean;
}

/** What the command does, or would do, with one agent. */
interface AppliedAgent {
  readonly name: string;
  readonly action: "created" | "updated" | "unchanged";
  readonly id: string | null;
  readonly version: number | null;
  readonly diff: readonly string[];
}

/**
 * Creates the agents in a file, and updates those of the same names to match the file: fields that it omits get their
 * defaults. Shows the differences before it changes anything.
 *
 * @throws YagateError `INVALID_REQUEST` if the file does not describe agents; `CONFLICT` if several agents have a name
 *   that the file contains. In these cases, nothing is changed.
 */
export async function applyAgents(invocation: Invocation, { file = "", dryRun = false }: ApplyOptions): Promise<void> {
  const client = await invocation.client();
  const plans = await planAll(client, await readAgents(file));
  const { output } = invocation;
  const changes = plans.filter(({ action }) => action !== "unchanged");
  if (!output.isJson) for (const plan of changes) output.note(describePlan(plan));
  const applied: AppliedAgent[] = [];
  if (dryRun) applied.push(...plans.map((plan) => outcomeOf(plan, plan.current)));
  else {
    if (changes.length > 0)
      await invocation.confirm(`Apply the changes of ${changes.length} of ${plans.length} agents?`);
    for (const plan of plans) applied.push(outcomeOf(plan, await applyPlan(client, plan)));
  }
  const would = dryRun ? "would be " : "";
  output.result(applied, () =>
    applied
      .map(({ name, action, version }) =>
        toVisibleLine(
          action === "unchanged"
            ? `${name}: unchanged`
            : `${name}: ${would}${action}${dryRun ? "" : `, version ${version}`}`,
        ),
      )
      .join("\n"),
  );
}

type Definition = ReturnType<typeof withAgentDefaults>;

interface Plan {
  readonly name: string;
  readonly action: AppliedAgent["action"];
  readonly body: Definition & { readonly name: string };
  readonly current: Agent | undefined;
  readonly diff: readonly DiffLine[];
}

async function readAgents(file: string): Promise<readonly JsonObject[]> {
  const value = parseJsonOrUndefined(await readText(file));
  const agents = z
    .array(jsonObjectSchema)
    .min(1)
    .safeParse(Array.isArray(value) ? value : [value]);
  if (agents.success) return agents.data;
  const what = file === "-" ? "standard input" : file;
  throw new YagateError("INVALID_REQUEST", `expected ${what} to be a JSON object or a list of them`);
}

async function planAll(client: Yagate, agents: readonly JsonObject[]): Promise<readonly Plan[]> {
  const existing = await client.agents.list({ limit: 200 }).toArray();
  const sourceNames = await namesOfSources(client, [...agents, ...existing]);
  const plans: Plan[] = [];
  for (const agent of agents) {
    const checked = checkedBody(createAgentSchema, await withToolIds(client, agent));
    const { name } = checked;
    if (plans.some((plan) => plan.name === name))
      throw new YagateError("CONFLICT", `the file has two agents named ${name}`);
    const [current, other] = existing.filter((one) => one.name === name);
    if (other !== undefined) {
      throw new YagateError("CONFLICT", `several agents are named ${name}`, { hint: "update one of them by its id" });
    }
    const body = { tools: [], ...withAgentDefaults(checked, current), name };
    const wanted = comparable(body, sourceNames);
    const present = current === undefined ? {} : comparable(current, sourceNames, Object.keys(body));
    const diff = withoutDistantLines(diffLines(linesOf(present), linesOf(wanted)));
    const action = current === undefined ? "created" : isDeepStrictEqual(present, wanted) ? "unchanged" : "updated";
    plans.push({ name, action, body, current, diff });
  }
  return plans;
}

async function applyPlan(client: Yagate, { action, body, current }: Plan): Promise<Agent | undefined> {
  if (action === "unchanged") return current;
  return current === undefined ? client.agents.create(body) : client.agents.update(current.id, body);
}

/** Tool sources by id. Agents store their ids, but files contain their names. */
async function namesOfSources(client: Yagate, agents: readonly object[]): Promise<ReadonlyMap<string, string>> {
  if (!JSON.stringify(agents).includes('"source":')) return new Map();
  const sources = await client.sources.list({ limit: 200 }).toArray();
  return new Map(sources.map(({ id, name }) => [id, name]));
}

/** The fields of an agent in the form in which two of them are compared. */
function comparable(
  agent: object,
  sourceNames: ReadonlyMap<string, string>,
  fields: readonly string[] = Object.keys(agent),
): JsonObject {
  const own: JsonObject = JSON.parse(JSON.stringify(agent));
  const kept = Object.entries(own).filter(([field]) => fields.includes(field));
  return Object.fromEntries(
    kept
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([field, value]) => [
        field,
        field === "tools" && Array.isArray(value) ? value.map((tool) => named(tool, sourceNames)) : value,
      ]),
  );
}

function named(tool: JsonObject[string], sourceNames: ReadonlyMap<string, string>): JsonObject[string] {
  if (!isJsonObject(tool) || typeof tool["source"] !== "string") return tool;
  return { ...tool, source: sourceNames.get(tool["source"]) ?? tool["source"] };
}

function linesOf(value: JsonObject): readonly string[] {
  return Object.keys(value).length === 0 ? [] : JSON.stringify(value, null, 2).split("\n");
}

function describePlan({ name, action, diff }: Plan): string {
  const colours = { "+": "green", "-": "red", " ": "dim" } as const;
  const lines = diff.map(({ mark, text }) => {
    const indent = text.length - text.trimStart().length;
    const shown = `  ${mark} ${" ".repeat(indent)}${toVisibleLine(text.trimStart())}`;
    return styled(colours[mark], shown, process.stderr);
  });
  return [toVisibleLine(`${name}: ${action === "created" ? "new" : "changes"}`), ...lines].join("\n");
}

function outcomeOf({ name, action, diff }: Plan, agent: Agent | undefined): AppliedAgent {
  const lines = diff.filter(({ mark }) => mark !== " ").map(({ mark, text }) => `${mark} ${text}`);
  return {
    name,
    action,
    id: agent?.id ?? null,
    version: agent?.version ?? null,
    diff: action === "unchanged" ? [] : lines,
  };
}
