import { Gauge, type Registry } from "prom-client";

/** How this process stands, asked at each scrape. */
export interface GatewayState {
  /** Executions that this process holds. */
  executions(): {
    readonly running: number;
    /** Those that wait in memory: for an answer, a moment, or a concurrency slot of an endpoint. */
    readonly waiting: number;
    /** Those that wait for a place among the running. */
    readonly pending: number;
    /** Since when the first of them does, in ms since the epoch; null: there is none. */
    readonly oldestPendingAt: number | null;
    /** For the running ones. */
    readonly slots: number;
    readonly workspaces: { readonly active: number; readonly pending: number; readonly aboveShare: number };
  };
  /** Handler URLs that this process remembers. */
  endpoints(): {
    readonly circuits: { readonly closed: number; readonly open: number; readonly half_open: number };
    readonly disabled: number;
    /** How many have calls waiting. */
    readonly queueing: number;
    readonly queued: number;
    readonly inFlight: number;
  };
  /** Rejects when the store would refuse a write. */
  ping(): Promise<void>;
}

/** A store that says nothing must not keep a scrape waiting: most scrapers give up after 10 s. */
const PING_MS = 2_000;

/** Gauges of what is the case at the moment. Their labels are fixed lists. */
export function createStateMetrics(registry: Registry, state: GatewayState, now: () => number): void {
  const registers = [registry];
  new Gauge({
    name: "yagate_executions",
    help: "Executions that this process holds, by state: running, waiting, pending",
    labelNames: ["state"],
    registers,
    collect() {
      const { running, waiting, pending } = state.executions();
      for (const [name, count] of Object.entries({ running, waiting, pending })) this.set({ state: name }, count);
    },
  });
  new Gauge({
    name: "yagate_executions_oldest_pending_seconds",
    help: "How long the first execution that waits for a place has waited; 0: none does",
    registers,
    collect() {
      const { oldestPendingAt } = state.executions();
      this.set(oldestPendingAt === null ? 0 : Math.max(0, now() - oldestPendingAt) / 1_000);
    },
  });
  new Gauge({
    name: "yagate_execution_places",
    help: "Places for running executions; more run while workspaces take back their shares",
    registers,
    collect() {
      this.set(state.executions().slots);
    },
  });
  new Gauge({
    name: "yagate_execution_workspaces",
    help: "Workspaces with executions that run or are pending (active), that have pending ones, and that hold more than their share",
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
    help: "Handler URLs that this process remembers, by the state of their circuit",
    labelNames: ["circuit"],
    registers,
    collect() {
      for (const [circuit, count] of Object.entries(state.endpoints().circuits)) this.set({ circuit }, count);
    },
  });
  const ofEndpoints = [
    ["yagate_endpoints_disabled", "Handler URLs that said they are gone", "disabled"],
    ["yagate_endpoints_queueing", "Handler URLs that calls wait for", "queueing"],
    ["yagate_endpoint_calls_queued", "Calls that wait for their handler URL", "queued"],
    ["yagate_endpoint_calls_in_flight", "Calls that are on their way", "inFlight"],
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
    help: "1 when the journal took a write at this scrape",
    registers,
    async collect() {
      this.set((await isInTime(state.ping())) ? 1 : 0);
    },
  });
}

async function isInTime(ping: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_MS);
  });
  const answered = ping.then(
    () => true,
    () => false,
  );
  const isUp = await Promise.race([answered, tooLate]);
  clearTimeout(timer);
  return isUp;
}
