import { Gauge, type Registry } from "prom-client";

/** The state of this process, which is read at each scrape. */
export interface GatewayState {
  /** Returns the numbers of executions in this process. */
  executions(): {
    readonly running: number;
    /** Executions that wait in memory for a result, a retry time or a concurrency slot of an endpoint. */
    readonly waiting: number;
    /** Executions that are waiting for an execution slot. */
    readonly pending: number;
    /** Time at which the oldest pending execution started to wait, in ms since the epoch; null if none is pending. */
    readonly oldestPendingAt: number | null;
    /** Number of execution slots. */
    readonly slots: number;
    readonly workspaces: { readonly active: number; readonly pending: number; readonly aboveShare: number };
  };
  /** Returns the numbers of endpoints in this process's memory. */
  endpoints(): {
    readonly circuits: { readonly closed: number; readonly open: number; readonly half_open: number };
    readonly disabled: number;
    /** Endpoints with queued calls. */
    readonly queueing: number;
    readonly queued: number;
    readonly inFlight: number;
  };
  /** Rejects if the store can't write. */
  ping(): Promise<void>;
}

/** Maximum wait in ms for a store that does not respond. Most scrapers time out after 10 s. */
const PING_MS = 2_000;

/** Creates gauges of the current state. Their labels come from fixed lists. */
export function createStateMetrics(registry: Registry, state: GatewayState, now: () => number): void {
  const registers = [registry];
  new Gauge({
    name: "yagate_executions",
    help: "Executions in this process, by state: running, waiting, pending",
    labelNames: ["state"],
    registers,
    collect() {
      const { running, waiting, pending } = state.executions();
      for (const [name, count] of Object.entries({ running, waiting, pending })) this.set({ state: name }, count);
    },
  });
  new Gauge({
    name: "yagate_executions_oldest_pending_seconds",
    help: "How long the oldest pending execution has waited for a slot; 0 if none waits",
    registers,
    collect() {
      const { oldestPendingAt } = state.executions();
      this.set(oldestPendingAt === null ? 0 : Math.max(0, now() - oldestPendingAt) / 1_000);
    },
  });
  new Gauge({
    name: "yagate_execution_places",
    help: "Execution slots; more executions run while workspaces reclaim their shares",
    registers,
    collect() {
      this.set(state.executions().slots);
    },
  });
  new Gauge({
    name: "yagate_execution_workspaces",
    help: "Workspaces with running or pending executions (active), with pending executions (pending), and above their share (above_share)",
    labelNames: ["state"],
    registers,
    collect() {
      const { active, pending, aboveShare } = state.executions().workspaces;
      for (const [name, count] of Object.entries({ active, pending, above_share: aboveShare })) {
        this.set({ state: name }, count);
      }
    },
  });
  new Gauge({
    name: "yagate_endpoints",
    help: "Endpoints in memory, by the state of their circuit",
    labelNames: ["circuit"],
    registers,
    collect() {
      for (const [circuit, count] of Object.entries(state.endpoints().circuits)) this.set({ circuit }, count);
    },
  });
  const ofEndpoints = [
    ["yagate_endpoints_disabled", "Disabled endpoints: their handler responded that it is gone", "disabled"],
    ["yagate_endpoints_queueing", "Endpoints with queued calls", "queueing"],
    ["yagate_endpoint_calls_queued", "Calls queued for an endpoint", "queued"],
    ["yagate_endpoint_calls_in_flight", "Calls in flight", "inFlight"],
  ] as const;
  for (const [name, help, field] of ofEndpoints) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(state.endpoints()[field]);
      },
    });
  }
  new Gauge({
    name: "yagate_store_up",
    help: "1 if the store accepted a write at this scrape",
    registers,
    async collect() {
      this.set((await isInTime(state.ping())) ? 1 : 0);
    },
  });
}

async function isInTime(ping: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_MS);
  });
  const pinged = ping.then(
    () => true,
    () => false,
  );
  const isUp = await Promise.race([pinged, timeout]);
  clearTimeout(timer);
  return isUp;
}
