import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { newCallId } from "@yagate/lib/ids/call-ids";
import { newFrameNonce, newId } from "@yagate/lib/ids/ids";
import { createModels } from "@yagate/models/create-models";
import type { ProvidersSettings } from "@yagate/models/provider-settings";
import type {
  Agent,
  CompleteToolDefinition,
  ExecutionEvent,
  ExecutionRequest,
  HandlerToolDefinition,
  Script,
} from "@yagate/protocol";
import { generateSigningSecret } from "@yagate/protocol";
import { appendTo } from "@yagate/store/events/event-store";
import type { Append, AppendOutcome, EventStore, ExecutionRow, ReleaseOutcome, Store } from "@yagate/store/port";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { onTestFinished } from "vitest";
import { placeMigratedJournal } from "../../../../test/services/migrated-stores.ts";
import { createEgressGuard } from "../../../egress/src/guard.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { agentOf } from "../../../store/test/support/fixtures.ts";
import { createDispatcher } from "../../../webhooks/src/dispatcher.ts";
import { createEndpointRegistry } from "../../../webhooks/src/endpoints/endpoint-registry.ts";
import { createLoadAgent } from "../../src/executions/run/loaded-agents.ts";
import { createStartRun } from "../../src/executions/run/start-run.ts";
import { createTextDeltas } from "../../src/executions/streams/text-deltas.ts";
import { createLease, type Lease } from "../../src/scheduler/lease.ts";
import type { StartRun } from "../../src/scheduler/port.ts";
import type { ToolExecutor } from "../../src/tools/port.ts";
import { type CreateToolset, createToolset } from "../../src/tools/toolset/toolset.ts";

export const WORKSPACE = "ws_1";
const OWNER = "this process";

type Release = Parameters<EventStore["release"]>[0];
type ReleaseLike = EventStore["release"];
type AppendLike = (append: Append) => Promise<AppendOutcome>;

/** Where a test interferes between the run and its event store; the store itself is real. */
export interface Interference {
  /** Stands before every append of a run. */
  append?: (append: Append, next: AppendLike) => Promise<AppendOutcome>;
  /** Runs before an execution is suspended. */
  release?: (release: Release, next: ReleaseLike) => Promise<ReleaseOutcome>;
  /** Called before every read of entries and every renewal; may throw what the store would. */
  read?: () => void;
  renew?: () => void | Promise<void>;
  /** Called at every model turn, when the workspace's own provider is looked for; may throw what the store would. */
  findProvider?: () => undefined;
}

/** The real modules that a run needs: SQLite on disk, scripted models, signed calls over loopback. */
export interface RunWorld {
  readonly store: Store;
  readonly eventStore: EventStore;
  readonly interference: Interference;
  readonly lease: Lease;
  readonly start: StartRun;
  readonly errors: unknown[];
  /** Providers that were reported as unreachable, each with its execution's id. */
  readonly unreachable: readonly { readonly origin: string; readonly reason: string; readonly executionId: string }[];
  /** The monotonic clock that the lease is measured by; a test moves it on to freeze the process. */
  freeze(ms: number): void;
  /** From now on the wall clock stands here, ms since the epoch. */
  setClock(at: number): void;
  /** An execution that this process has just accepted. */
  create(
    tools: readonly CompleteToolDefinition[],
    script: Script["turns"],
    rest?: Partial<ExecutionRequest> & { readonly model?: string },
  ): Promise<ExecutionRow>;
  /** Claims an execution again, as a process does that finds it unfinished. */
  claim(owner?: string): Promise<ExecutionRow>;
  /** Claims a suspended execution that is due. */
  claimDue(now?: number): Promise<ExecutionRow | undefined>;
  events(executionId: string): Promise<readonly ExecutionEvent[]>;
  types(executionId: string): Promise<readonly string[]>;
}

/** The same tools, each attempt at an additional cost: no tool of the gateway's own has a cost. */
function withCost(create: CreateToolset, usd: number): CreateToolset {
  return async (agent) => {
    const toolset = await create(agent);
    const priced = [...toolset.tools].map(([name, tool]) => {
      const executor: ToolExecutor = {
        render: (call) => tool.executor.render(call),
        execute: async (call, context) => ({
          ...(await tool.executor.execute(call, context)),
          cost: { usd, credits: 0 },
        }),
      };
      return [name, { ...tool, executor }] as const;
    });
    return { ...toolset, tools: new Map(priced) };
  };
}

/**
 * @param options.costUsd - what every attempt costs; nothing by default.
 * @param options.builtins - the built-in tools; none by default.
 * @param options.wrapToolset - replaces tools of the toolsets; none by default.
 */
export async function openRunWorld(
  options: {
    readonly maxBytes?: number;
    readonly costUsd?: number;
    readonly providers?: ProvidersSettings;
    readonly builtins?: readonly BuiltinTool[];
    readonly wrapToolset?: (create: CreateToolset) => CreateToolset;
  } = {},
): Promise<RunWorld> {
  const { maxBytes, providers = {}, wrapToolset = (create) => create } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-run-"));
  await placeMigratedJournal(dataDir);
  const store = await openSqliteStore({ dataDir, ...(maxBytes === undefined ? {} : { maxBytes }) });
  const errors: unknown[] = [];
  const unreachable: RunWorld["unreachable"][number][] = [];
  const onError = (error: unknown) => errors.push(error);
  const interference: Interference = {};
  const eventStore: EventStore = {
    ...store.eventStore,
    append(append, done) {
      const next: AppendLike = (one) => appendTo(store.eventStore, one);
      const { append: interfere = (one) => next(one) } = interference;
      interfere(append, next).then(done, (error: unknown) => done({ error }));
    },
    release: (release) =>
      interference.release?.(release, store.eventStore.release) ?? store.eventStore.release(release),
    async entries(executionId, afterSeq) {
      interference.read?.();
      return store.eventStore.entries(executionId, afterSeq);
    },
    async renew(renewal) {
      await interference.renew?.();
      return store.eventStore.renew(renewal);
    },
  };

  let clock: number | undefined;
  const now = () => clock ?? Date.now();
  const secret = generateSigningSecret();
  const egress = createEgressGuard({ allowCidrs: ["127.0.0.0/8"] });
  const limits = { concurrency: 64, queue: 1_000 };
  const endpoints = createEndpointRegistry({ store: store.endpoints, now, newId, limits, onError });
  const dispatcher = createDispatcher({
    egressOf: () => egress,
    endpoints,
    signingSecrets: { forSigning: async () => [secret] },
    callbacks: { issue: async () => ({ url: "https://gateway.example.com/", token: "yc_test" }) },
    now,
    onError,
  });
  const toolsetOptions = {
    dispatcher,
    builtins: new Map(options.builtins?.map((tool) => [tool.name, tool])),
    argumentValidator: createArgumentValidator(),
    now,
    onError,
  };
  const create = wrapToolset((agent) => createToolset(agent, toolsetOptions));
  let frozenMs = 0;
  const lease = createLease({
    owner: OWNER,
    renew: (leaseUntil) => eventStore.renew({ owner: OWNER, leaseUntil }),
    onError,
    now,
    monotonicNow: () => performance.now() + frozenMs,
  });
  await lease.start();
  onTestFinished(async () => {
    lease.stop();
    await egress.close();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = createStartRun({
    isCircuitOpen: () => false,
    eventStore,
    models: createModels({
      providers,
      fetch: egress.fetch,
      workspaces: { providers: { find: async () => interference.findProvider?.() }, fetch: egress.fetch },
    }),
    lease,
    deltas: createTextDeltas(),
    loadAgent: createLoadAgent({
      agents: store.agents,
      createToolset: options.costUsd === undefined ? create : withCost(create, options.costUsd),
    }),
    approvalExpiryMs: 604_800_000,
    callbackExpiryMs: 86_400_000,
    now,
    random: () => 0,
    newId,
    newCallId,
    newFrameNonce,
    onError,
    onUnreachable: (provider, executionId) => unreachable.push({ ...provider, executionId }),
  });

  async function events(executionId: string): Promise<readonly ExecutionEvent[]> {
    return (await store.eventStore.entries(executionId, 0)).map(({ event }) => event);
  }

  return {
    store,
    eventStore: store.eventStore,
    interference,
    lease,
    start,
    errors,
    unreachable,
    setClock(at) {
      clock = at;
    },
    freeze(ms) {
      frozenMs += ms;
    },
    async create(tools, turns, { model = "scripted/turns", ...rest } = {}) {
      const agent: Agent = agentOf({ model, tools: [...tools] });
      await store.agents.create(WORKSPACE, agent);
      const { execution } = await store.eventStore.create({
        id: newId("execution"),
        workspaceId: WORKSPACE,
        agentId: agent.id,
        agentVersion: agent.version,
        startedByKeyId: null,
        request: { input: "go", script: { turns }, ...rest },
        createdAt: now(),
        owner: OWNER,
        leaseUntil: lease.leaseUntil(),
      });
      return execution;
    },
    async claim(owner = OWNER) {
      const claim = { owner, now: Number.MAX_SAFE_INTEGER, leaseUntil: now() + 10_000, limit: 1, except: new Set("") };
      const [claimed] = await store.eventStore.claim(claim);
      if (claimed === undefined) throw new Error("expected an unfinished execution");
      return claimed;
    },
    async claimDue(at = now()) {
      const claim = { owner: OWNER, now: at, leaseUntil: now() + 10_000, limit: 1 };
      return (await store.eventStore.claimDue(claim))[0];
    },
    events,
    types: async (executionId) => (await events(executionId)).map(({ type }) => type),
  };
}

/** A tool behind a handler's URL. */
export function toolAt(url: string, change: Partial<HandlerToolDefinition> = {}): HandlerToolDefinition {
  return { name: "act", description: "Acts.", parameters: { type: "object" }, handler: url, ...change };
}

/** One turn that calls the tool, one that ends. */
export const CALL_THEN_ANSWER: Script["turns"] = [
  { toolCalls: [{ name: "act", parameters: {} }] },
  { text: "It is done." },
];
