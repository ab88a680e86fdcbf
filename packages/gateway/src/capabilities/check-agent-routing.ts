import { toolNameKey } from "@yagate/lib/text/tool-name-key";
import {
  type Agent,
  type ExecutionRouting,
  type FieldError,
  MAX_INTENTS_PER_AGENT,
  toWarning,
  type Warning,
} from "@yagate/protocol";
import { checkRules } from "@yagate/routing/check-rules";
import { chooseIntents } from "@yagate/routing/choose-intents";
import { decideRoute, unservedIntents } from "@yagate/routing/decide-route";
import type { Toolset } from "../tools/port.ts";
import { type IntentEntry, intentEntries, toolNameOfIntent } from "../tools/toolset/intent-entries.ts";
import { unknownIntent } from "./intents.ts";
import type { ResolveIntents } from "./resolve-intents.ts";
import type { ReadRoutingTable } from "./routing-table.ts";

interface AgentRoutingCheckOptions {
  readonly readTable: ReadRoutingTable;
  readonly resolveIntents: ResolveIntents;
  /** Makes the agent's tools ready. */
  readonly createToolset: (
    agent: Agent,
    intents: Awaited<ReturnType<ResolveIntents>>["intents"],
  ) => Promise<Pick<Toolset, "routed">>;
  /** Returns the names of the agent's other tools. */
  readonly toolNamesOf: (agent: Agent) => Promise<readonly string[]>;
  readonly modelOf: (model: string) => { readonly provider: string; readonly model: string };
}

/** Creates the check of an agent's intents and rules when the agent is saved. */
export function createCheckAgentRouting(options: AgentRoutingCheckOptions) {
  return async (workspaceId: string, agent: Agent) => {
    const entries = intentEntries(agent.tools);
    if (entries.length === 0 && agent.routing?.rules === undefined) return { errors: [], warnings: [] };
    const { intents: known } = await options.readTable(workspaceId);
    const others = entries.length === 0 ? [] : await options.toolNamesOf(agent);
    const listed = new Set(entries.map(({ reference }) => reference.intent));
    const errors = [
      ...entryProblems(entries, new Set(known.keys()), others),
      ...checkRules(agent.routing?.rules ?? [], listed),
    ];
    const warnings =
      errors.length > 0 || entries.length === 0 ? [] : await unservedWarnings(workspaceId, agent, entries);
    return { errors, warnings };
  };

  /** Warns about required intents that no capability can serve, whatever routing scopes an execution has. */
  async function unservedWarnings(
    workspaceId: string,
    agent: Agent,
    entries: readonly IntentEntry[],
  ): Promise<readonly Warning[]> {
    if (!entries.some(({ reference }) => reference.required === true)) return [];
    const { intents } = await options.resolveIntents(workspaceId, agent);
    const { routed } = await options.createToolset(agent, intents);
    if (routed === undefined) return [];
    const all = routed.intents.map(({ capabilities, ...intent }) => ({
      ...intent,
      capabilities: capabilities.map((capability) => ({ ...capability, isCircuitOpen: false, hasFailed: false })),
    }));
    const scopes = all.flatMap(({ capabilities }) => capabilities.flatMap(({ entry }) => entry.requiredScopes));
    const { dataClass = "public", requireCitations = false } = agent.routing ?? {};
    const routing: ExecutionRouting = { scopes, dataClass, requireCitations };
    const decision = decideRoute({
      ...{
        turn: 1,
        model: options.modelOf(agent.model),
        routing,
        isCallersChoice: false,
        intents: all,
        otherTools: [],
      },
      choice: chooseIntents({ listed: all, applied: [], routing, callersChoice: undefined }),
    });
    const unserved = new Set(unservedIntents(decision));
    return entries.flatMap(({ index, reference: { intent } }) => {
      if (!unserved.has(intent)) return [];
      const { refused } = decision.intents.find((route) => route.intent === intent) ?? { refused: {} };
      const reasons = Object.entries(refused).map(([key, code]) => `${key}: ${code}`);
      const why = reasons.length === 0 ? "there is none" : reasons.join(", ");
      const message = `no capability can serve ${intent}, so every execution will fail: ${why}`;
      return [toWarning("NO_ROUTE", `tools[${index}].intent`, message)];
    });
  }
}

function entryProblems(
  entries: readonly IntentEntry[],
  known: ReadonlySet<string>,
  others: readonly string[],
): readonly FieldError[] {
  const taken = new Map(others.map((name) => [toolNameKey(name), name]));
  const problems = entries.flatMap(({ index, reference: { intent } }): readonly FieldError[] => {
    const path = `tools[${index}].intent`;
    if (!known.has(intent)) return [unknownIntent(path, intent, known)];
    const name = toolNameOfIntent(intent);
    const holder = taken.get(toolNameKey(name));
    taken.set(toolNameKey(name), name);
    if (holder === undefined) return [];
    const message = `expected no other tool with the name ${name}, under which models call ${intent}; ${holder} has it`;
    return [{ path, code: "NAME_TAKEN", message }];
  });
  if (entries.length <= MAX_INTENTS_PER_AGENT) return problems;
  const message = `expected at most ${MAX_INTENTS_PER_AGENT} intents`;
  return [...problems, { path: "tools", code: "TOO_MANY_INTENTS", message }];
}
