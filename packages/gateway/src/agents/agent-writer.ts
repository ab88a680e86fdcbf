import { defined } from "@yagate/lib/objects/defined";
import {
  type Agent,
  BUILTIN_ALIASES,
  canonicalJson,
  type createAgentSchema,
  type FieldError,
  type ToolDefinition,
  toolSearchSchema,
  type updateAgentSchema,
  type Warning,
  YagateError,
} from "@yagate/protocol";
import type { AgentStore, AuditSubject, ChangeRecorder, ExposedAgentStore } from "@yagate/store/port";
import { exposedToolName } from "@yagate/store/tables/exposed-agents";
import type * as z from "zod";
import { InvalidRequestError } from "../errors/request-errors.ts";
import { withDefaultLimits } from "../executions/run/execution-config-of.ts";
import { type PinnedTools, type PinTools, withoutBroken } from "./pinned-tools.ts";
import { type IsPriced, unpricedModel } from "./unpriced-model.ts";

type NewAgent = z.output<typeof createAgentSchema>;
type AgentChange = z.output<typeof updateAgentSchema>;

/**
 * Finds all problems in an agent's tools and model.
 *
 * @param before - the version that is updated; undefined for a new agent.
 */
export type CheckAgent = (
  workspaceId: string,
  agent: Agent,
  before: Agent | undefined,
) => Promise<{ readonly errors: readonly FieldError[]; readonly warnings: readonly Warning[] }>;

/** Finds the warnings about an agent's references to tool sources. */
export type CheckSources = (workspaceId: string, agent: Pick<Agent, "tools" | "policy">) => Promise<readonly Warning[]>;

/** Finds all problems in an agent's intents and rules. */
export type CheckRouting = (
  workspaceId: string,
  agent: Agent,
) => Promise<{ readonly errors: readonly FieldError[]; readonly warnings: readonly Warning[] }>;

export interface AgentWriterOptions {
  readonly agents: AgentStore;
  readonly exposedAgents: Pick<ExposedAgentStore, "find">;
  readonly check: CheckAgent;
  readonly checkSources: CheckSources;
  readonly checkRouting: CheckRouting;
  /** Finds the warnings about the settings of tool search, and about tools that a search would hardly find. */
  readonly checkSearch: (workspaceId: string, agent: Agent) => Promise<readonly Warning[]>;
  readonly pin: PinTools;
  readonly isPriced: IsPriced;
  readonly now: () => number;
  readonly newAgentId: () => string;
}

/** Saves agents: adds defaults, checks each agent, and keeps every version. */
export interface AgentWriter {
  /**
   * Creates an agent.
   * @throws InvalidRequestError.
   */
  create(workspaceId: string, definition: NewAgent, recorder?: ChangeRecorder): Promise<Agent>;
  /**
   * Creates the next version. If nothing changes, returns the current version.
   * @throws YagateError `CONFLICT` for an outdated `version`; `NOT_FOUND`.
   * @throws InvalidRequestError.
   */
  update(workspaceId: string, agentId: string, change: AgentChange, recorder?: ChangeRecorder): Promise<Agent>;
}

/** How an agent appears in the audit log. */
export const AGENT_SUBJECT: AuditSubject<Agent> = {
  type: "agent",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: (agent) => agent,
};

// Maximum attempts at a change that specifies no `version` and so applies to any version. Other changes are attempted
// once.
const UPDATE_TRIES = 5;

export function createAgentWriter(options: AgentWriterOptions): AgentWriter {
  const { agents, exposedAgents, check, checkSources, checkRouting, checkSearch, pin, isPriced, now, newAgentId } =
    options;

  async function checked(
    workspaceId: string,
    agent: Agent,
    { problems }: Pick<PinnedTools, "problems">,
    before?: Agent,
  ): Promise<readonly Warning[]> {
    const { sound, placeOf } = withoutBroken(agent, problems);
    const { errors, warnings } = await check(workspaceId, sound, before);
    const placed = errors.map((error) => ({ ...error, path: placeOf(error.path) }));
    const unpriced = isPricedAsBefore(agent, before) ? undefined : unpricedModel(agent, agent.limits, isPriced);
    const nameProblems = await toolNameProblems(workspaceId, agent);
    const routing = await checkRouting(workspaceId, agent);
    const found = [...nameProblems, ...problems, ...placed, ...routing.errors];
    if (found.length > 0) throw new InvalidRequestError([...found, ...(unpriced?.fields ?? [])]);
    if (unpriced !== undefined) throw unpriced;
    const placedWarnings = warnings.map((warning) => ({ ...warning, path: placeOf(warning.path) }));
    const ofSources = await checkSources(workspaceId, agent);
    return [...placedWarnings, ...ofSources, ...routing.warnings, ...(await checkSearch(workspaceId, agent))];
  }

  /** MCP hosts execute an exposed agent by the name of its tool, so another agent must not take that name. */
  async function toolNameProblems(workspaceId: string, agent: Agent): Promise<readonly FieldError[]> {
    if (agent.exposed !== true) return [];
    const toolName = exposedToolName(agent);
    const holder = await exposedAgents.find(workspaceId, toolName);
    if (holder === undefined || holder.agentId === agent.id) return [];
    const message = `expected another name: the exposed agent ${holder.agentId} already has the tool name ${toolName}`;
    return [{ path: "name", code: "NAME_TAKEN", message }];
  }

  async function tryUpdate(
    workspaceId: string,
    agentId: string,
    change: AgentChange,
    recorder?: ChangeRecorder,
  ): Promise<Agent | "stale"> {
    const found = await agents.find(workspaceId, agentId);
    if (found === undefined || found.archivedAt !== null) throw noSuchAgent();
    const current = found.agent;
    if (change.version !== undefined && change.version !== current.version) {
      throw new YagateError("CONFLICT", `expected the current version, which is ${current.version}`);
    }
    const toolSearch = mergedToolSearch(current.toolSearch, change.toolSearch);
    const pinned: PinnedTools =
      change.tools === undefined && change.toolSearch === undefined
        ? { tools: current.tools, problems: [] }
        : await pin(workspaceId, (change.tools ?? current.tools).map(withRealName), current.tools, toolSearch);
    const next = merge(current, change, pinned.tools, new Date(now()).toISOString());
    const warnings = await checked(workspaceId, next, pinned, current);
    if (isSame(current, next)) return { ...current, warnings: [...warnings] };
    try {
      const audit = recorder?.of(workspaceId, "agent.updated", AGENT_SUBJECT);
      await agents.update(workspaceId, next, current.version, audit);
    } catch (error) {
      if (YagateError.is(error) && error.code === "CONFLICT" && change.version === undefined) return "stale";
      throw error;
    }
    return { ...next, warnings: [...warnings] };
  }

  return {
    async create(workspaceId, definition, recorder) {
      const at = new Date(now()).toISOString();
      const pinned = await pin(workspaceId, definition.tools.map(withRealName), [], definition.toolSearch);
      const agent: Agent = {
        id: newAgentId(),
        version: 1,
        name: definition.name,
        description: definition.description ?? "",
        exposed: definition.exposed ?? false,
        model: definition.model,
        systemPrompt: definition.systemPrompt,
        tools: pinned.tools,
        limits: withDefaultLimits(definition.limits),
        integrations: definition.integrations ?? [],
        credentials: definition.credentials ?? [],
        webhookUrls: definition.webhookUrls ?? [],
        policy: { network: false, approval: "destructive", ...withoutUndefined(definition.policy ?? {}) },
        ...defined({ toolSearch: definition.toolSearch, routing: definition.routing }),
        createdAt: at,
        updatedAt: at,
      };
      const warnings = await checked(workspaceId, agent, pinned);
      await agents.create(workspaceId, agent, recorder?.of(workspaceId, "agent.created", AGENT_SUBJECT));
      return { ...agent, warnings: [...warnings] };
    },
    async update(workspaceId, agentId, change, recorder) {
      for (let attempt = 0; attempt < UPDATE_TRIES; attempt += 1) {
        const updated = await tryUpdate(workspaceId, agentId, change, recorder);
        if (updated !== "stale") return updated;
      }
      throw new YagateError("CONFLICT", "other requests keep changing the agent; try again");
    },
  };
}

export function noSuchAgent(): YagateError {
  return new YagateError("NOT_FOUND", "no agent with this id in this workspace");
}

function merge(
  { routing: before, ...current }: Agent,
  change: Omit<AgentChange, "tools">,
  tools: Agent["tools"],
  at: string,
): Agent {
  const routing = change.routing === undefined ? before : (change.routing ?? undefined);
  const limits = { ...current.limits, ...withoutUndefined(change.limits ?? {}) };
  return {
    ...current,
    version: current.version + 1,
    name: change.name ?? current.name,
    ...defined({ description: change.description ?? current.description, exposed: change.exposed ?? current.exposed }),
    model: change.model ?? current.model,
    systemPrompt: change.systemPrompt ?? current.systemPrompt,
    tools,
    limits,
    integrations: change.integrations ?? current.integrations,
    credentials: change.credentials ?? current.credentials,
    webhookUrls: change.webhookUrls ?? current.webhookUrls,
    policy: { ...current.policy, ...withoutUndefined(change.policy ?? {}) },
    ...defined({ toolSearch: mergedToolSearch(current.toolSearch, change.toolSearch), routing }),
    updatedAt: at,
  };
}

/** Applies a change to the settings of tool search; an agent without settings gets the defaults of the others. */
function mergedToolSearch(current: Agent["toolSearch"], change: AgentChange["toolSearch"]): Agent["toolSearch"] {
  if (change === undefined) return current;
  return { ...(current ?? toolSearchSchema.parse({})), ...withoutUndefined(change) };
}

/**
 * Checks whether the previous version already had a cost limit and this model. A price that is no longer known must not
 * block an unrelated change.
 */
function isPricedAsBefore({ model, limits }: Agent, before: Agent | undefined): boolean {
  return before?.model === model && (before.limits.maxCostUsd ?? null) !== null && limits.maxCostUsd !== null;
}

function isSame(left: Agent, right: Agent): boolean {
  const definition = ({ version: _version, updatedAt: _updatedAt, ...rest }: Agent) => canonicalJson(rest);
  return definition(left) === definition(right);
}

function withRealName(tool: ToolDefinition): ToolDefinition {
  return "builtin" in tool && tool.builtin === "summarizer" ? { ...tool, builtin: BUILTIN_ALIASES.summarizer } : tool;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  const defined: Defined<Fields> = { ...fields } as Defined<Fields>;
  for (const name of Object.keys(defined) as (keyof Fields)[]) if (defined[name] === undefined) delete defined[name];
  return defined;
}
