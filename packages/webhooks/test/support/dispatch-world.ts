import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallAnswer, Failure } from "@yagate/execution-machine/call-outcome";
import { generateSigningSecret, type HandlerToolDefinition, YagateError } from "@yagate/protocol";
import type { EndpointStore } from "@yagate/store/port";
import { onTestFinished } from "vitest";
import { placeMigratedJournal } from "../../../../test/services/migrated-stores.ts";
import type { CallContext, CallExchange, Rendering, ToolCall } from "../../../calls/src/port.ts";
import { createEgressGuard } from "../../../egress/src/guard.ts";
import type { EgressPolicy } from "../../../egress/src/policy.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { createDispatcher } from "../../src/dispatcher.ts";
import type { TrafficLimits } from "../../src/endpoints/endpoint-limiter.ts";
import { createEndpointRegistry, type EndpointRegistry } from "../../src/endpoints/endpoint-registry.ts";
import type { CallbackTickets, Dispatcher } from "../../src/port.ts";

/** The moment at which the clock of these tests stands. */
export const NOW = Date.parse("2026-11-21T06:00:00.000Z");
export const WORKSPACE = "ws_01";

/** What a test may choose; everything else is as in the gateway. */
export interface WorldOptions {
  readonly policy?: EgressPolicy;
  /** By name, newest first; `default` has one. */
  readonly secrets?: Readonly<Record<string, readonly string[]>>;
  readonly forSigning?: (workspaceId: string, name: string) => Promise<readonly string[]>;
  readonly now?: () => number;
  readonly callbacks?: CallbackTickets;
  readonly maxResponseBytes?: number;
  readonly store?: EndpointStore;
  /** What each endpoint is sent at once, and how many may wait. */
  readonly limits?: TrafficLimits;
  readonly isTraceRecorded?: () => boolean;
  /** The clock of the breakers. */
  readonly monotonicNow?: () => number;
}

/** What a test changes about the call that a world sends; `tool` adds to its definition. */
export type CallChange = Partial<ToolCall & CallContext> & { readonly tool?: Partial<HandlerToolDefinition> };

export interface AttemptReport extends CallExchange {
  readonly answer: CallAnswer;
}

export interface DispatchWorld {
  /** Sends one attempt to a URL. */
  attempt(url: string, change?: CallChange): Promise<AttemptReport>;
  render(url: string, change?: CallChange): Promise<Rendering>;
  readonly dispatcher: Dispatcher;
  readonly endpoints: EndpointRegistry;
  readonly secret: string;
  /** What was said to be a defect. */
  readonly errors: unknown[];
}

export const TOOL = {
  name: "lookup_order",
  description: "Looks up an order.",
  parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
};

/** A dispatcher over a real guard and a real store, for servers on 127.0.0.1. */
export async function createWorld(options: WorldOptions = {}): Promise<DispatchWorld> {
  const secret = generateSigningSecret();
  const secrets = new Map(Object.entries({ default: [secret], ...options.secrets }));
  const now = options.now ?? (() => NOW);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const egress = createEgressGuard({ allowCidrs: ["127.0.0.0/8"], ...options.policy });
  onTestFinished(() => egress.close());
  let ids = 0;
  const endpoints = createEndpointRegistry({
    store: options.store ?? (await openEndpointStore()),
    now,
    newId: () => `ep_${++ids}`,
    onError,
    limits: options.limits ?? { concurrency: 64, queue: 1_000 },
    ...(options.monotonicNow === undefined ? {} : { monotonicNow: options.monotonicNow }),
  });
  await endpoints.load();
  const dispatcher = createDispatcher({
    egressOf: () => egress,
    signingSecrets: { forSigning: options.forSigning ?? (async (_workspace, name) => secretsOf(secrets, name)) },
    endpoints,
    now,
    onError,
    ...(options.isTraceRecorded === undefined ? {} : { isTraceRecorded: options.isTraceRecorded }),
    ...(options.callbacks === undefined ? {} : { callbacks: options.callbacks }),
    ...(options.maxResponseBytes === undefined ? {} : { maxResponseBytes: options.maxResponseBytes }),
  });
  return {
    dispatcher,
    endpoints,
    secret,
    errors,
    async attempt(handler, change = {}) {
      const executor = dispatcher.executorOf({ tool: { ...TOOL, handler, ...change.tool } });
      const bounds = { deadline: now() + 10_000, signal: new AbortController().signal, beforeSend: () => {} };
      const { answer, exchange } = await executor.execute(callOf(change), { ...bounds, ...change });
      if (exchange === undefined) throw new Error("expected every attempt to have an exchange");
      return { answer, ...exchange };
    },
    render: (handler, change = {}) =>
      dispatcher.executorOf({ tool: { ...TOOL, handler, ...change.tool } }).render(callOf(change)),
  };
}

function callOf(change: CallChange): ToolCall {
  return {
    ...{ workspaceId: WORKSPACE, agentId: "agt_01", executionId: "exec_01", toolCallId: "tc_01", name: TOOL.name },
    ...{ parameters: { orderId: "ORD-12345" }, attempt: 1 },
    ...change,
  };
}

/** The endpoints of a journal on disk. */
export async function openEndpointStore(): Promise<EndpointStore> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-dispatch-"));
  await placeMigratedJournal(dataDir);
  const store = await openSqliteStore({ dataDir });
  onTestFinished(async () => {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return store.endpoints;
}

/** The failure of a report that must be one. */
export function failureOf({ answer }: Pick<AttemptReport, "answer">): Failure {
  if (!("failure" in answer)) throw new Error("expected a failure, and there is none");
  return answer.failure;
}

function secretsOf(secrets: ReadonlyMap<string, readonly string[]>, name: string): readonly string[] {
  const found = secrets.get(name);
  if (found === undefined) throw new YagateError("NOT_FOUND", "no signing secret with this name");
  return found;
}
