import { executionTraceId, parseTraceparent, type TraceContext } from "@yagate/lib/http/trace-context";
import { type ExecutionEvent, FINAL_EVENT_TYPES } from "@yagate/protocol";
import { contextOf } from "./request-tracing.ts";
import { executionSpans, type SpanOptions } from "./spans/execution-spans.ts";
import type { ModelReference } from "./spans/model-reference.ts";
import { writeSpans } from "./spans/write-spans.ts";
import type { TracerSource } from "./tracer-source.ts";

/** The stored values of an execution that its spans need. */
interface KnownExecution {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  /** In ms since the epoch. */
  readonly createdAt: number;
  readonly trace?: TraceContext;
}

interface Entry {
  readonly event: ExecutionEvent;
}

export interface ExecutionTracingOptions extends SpanOptions {
  readonly tracerOf: TracerSource;
  /** The store from which ended executions are read. */
  readonly eventStore: {
    findAny(executionId: string): Promise<KnownExecution | undefined>;
    entries(executionId: string, afterSeq: number): Promise<readonly Entry[]>;
  };
  readonly agentNameOf: (agentId: string, version: number) => Promise<string | undefined>;
  /** Returns the server of a model, by the model's name in the agent's definition. */
  readonly serverOf: (workspaceId: string, model: string) => Promise<ModelReference["server"]>;
  readonly onError: (error: unknown, executionId: string) => void;
}

/** Writes the spans of executions. */
export interface ExecutionTracing {
  /** Must be called after every append that became durable in this process. */
  onAppended(append: { readonly executionId: string; readonly entries: readonly Entry[] }): void;
  /** Resolves when the spans for all previous appends are written. */
  settled(): Promise<void>;
}

/**
 * Writes the spans of each execution once, when it ends, in the process that wrote its last event. Until then no spans
 * are in memory, so a crash, a takeover or a wait of days neither loses nor duplicates spans.
 */
export function createExecutionTracing(options: ExecutionTracingOptions): ExecutionTracing {
  const { tracerOf, eventStore, agentNameOf, serverOf, onError } = options;
  const writing = new Set<Promise<void>>();

  /** Returns the servers of the models. If a provider can't be read, its spans lack the server's address. */
  async function serversOf(workspaceId: string, events: readonly ExecutionEvent[]) {
    const names = [...new Set(events.flatMap(modelsIn))];
    const servers = await Promise.all(names.map((name) => serverOf(workspaceId, name).catch(() => undefined)));
    return new Map(names.map((name, index) => [name, servers[index]]));
  }

  async function write(executionId: string): Promise<void> {
    const tracer = tracerOf();
    const execution = await eventStore.findAny(executionId);
    if (tracer === undefined || execution === undefined) return;
    const { trace } = execution;
    if (trace !== undefined && parseTraceparent(trace.traceparent)?.isSampled === false) return;
    const [entries, agentName] = await Promise.all([
      eventStore.entries(executionId, 0),
      agentNameOf(execution.agentId, execution.agentVersion).catch(() => undefined),
    ]);
    const events = entries.map(({ event }) => event);
    const servers = await serversOf(execution.workspaceId, events);
    const modelOf = (name: string) => ({ ...options.modelOf(name), server: servers.get(name) });
    const root = executionSpans({ ...execution, agentName, events }, { ...options, modelOf });
    writeSpans(tracer, root, contextOf(trace), executionTraceId(executionId));
  }

  return {
    onAppended({ executionId, entries }) {
      const last = entries.at(-1)?.event.type;
      if (last === undefined || !FINAL_EVENT_TYPES.has(last) || tracerOf() === undefined) return;
      const written = write(executionId)
        .catch((error) => onError(error, executionId))
        .finally(() => writing.delete(written));
      writing.add(written);
    },
    async settled() {
      await Promise.all(writing);
    },
  };
}

function modelsIn(event: ExecutionEvent): readonly string[] {
  if (event.type === "model.requested") return [event.model];
  const hasCalls = event.type === "tool_call.completed" || event.type === "tool_call.failed";
  return hasCalls ? (event.modelCalls ?? []).map(({ model }) => model) : [];
}
