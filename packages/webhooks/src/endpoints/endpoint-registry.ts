import { RecencyMap } from "@yagate/lib/cache/recency-map";
import type { Page, PageQuery } from "@yagate/protocol";
import type { AuditSubject, ChangeRecorder, EndpointRow, EndpointStore } from "@yagate/store/port";
import { EndpointLimiter, type TrafficLimits, type TrafficState } from "./endpoint-limiter.ts";

/** A stored endpoint, with the attempts that this process is sending to it. */
export interface EndpointStatus extends EndpointRow {
  readonly inFlight: number;
  readonly queued: number;
  readonly circuit: {
    readonly state: TrafficState["breaker"]["state"];
    readonly attempts: number;
    readonly failures: number;
    /**
     * Time at which an open circuit lets one attempt through, in ms since the epoch; null if the circuit is not open.
     */
    readonly retryAt: number | null;
  };
}

/** Totals over all endpoints that this process remembers, at one time. */
export interface EndpointTotals {
  readonly circuits: { readonly closed: number; readonly open: number; readonly half_open: number };
  readonly disabled: number;
  /** Number of endpoints with waiting attempts. */
  readonly queueing: number;
  readonly queued: number;
  readonly inFlight: number;
}

/** The endpoints of each workspace: which of them are disabled, and the limits on what is sent to each. */
export interface EndpointRegistry {
  /**
   * Reads the disabled endpoints. Call this before the first attempt, and again whenever other processes may have
   * changed them.
   *
   * @throws YagateError `UNAVAILABLE` if the store is unavailable.
   */
  load(): Promise<void>;
  isDisabled(workspaceId: string, url: string): boolean;
  /** Returns whether attempts to the URL are blocked: its circuit is open in this process, or it is disabled. */
  isCircuitOpen(workspaceId: string, url: string): boolean;
  /**
   * Disables an endpoint in memory immediately. Resolves when the change is stored, or when the store failed and
   * `onError` was called.
   */
  disable(workspaceId: string, url: string, reason: string): Promise<void>;
  /**
   * Enables an endpoint and closes its breaker, so that neither an earlier 410 nor earlier failures block attempts.
   *
   * @throws YagateError `NOT_FOUND` or `UNAVAILABLE`.
   */
  enable(workspaceId: string, endpointId: string, recorder?: ChangeRecorder): Promise<EndpointStatus>;
  /**
   * Lists the endpoints of a workspace.
   *
   * @throws YagateError `UNAVAILABLE` if the store is unavailable.
   */
  list(workspaceId: string, page: PageQuery): Promise<Page<EndpointStatus>>;
  totals(): EndpointTotals;
  /** Returns the limiter that decides when an attempt may be sent to the URL. A new endpoint is listed from now on. */
  trafficTo(workspaceId: string, url: string): EndpointLimiter;
}

export interface EndpointRegistryOptions {
  readonly store: EndpointStore;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
  /** Returns the time of a monotonic clock in ms; default `performance.now`. */
  readonly monotonicNow?: () => number;
  readonly newId: (kind: "endpoint") => string;
  readonly limits: TrafficLimits;
  /** Logs an error. */
  readonly onError?: (error: unknown) => void;
}

const MAX_ENDPOINTS_IN_MEMORY = 10_000;
/**
 * Interval in ms at which the store records that an endpoint is still used. The store deletes endpoints that were not
 * used for a long time.
 */
const LIST_EVERY_MS = 86_400_000;

const NO_TRAFFIC: TrafficState = {
  inFlight: 0,
  queued: 0,
  breaker: { state: "closed", attempts: 0, failures: 0, restsUntil: null },
};

const SUBJECT: AuditSubject<EndpointRow> = {
  type: "endpoint",
  idOf: ({ id }) => id,
  show: ({ id, url, disabledAt, reason }) => ({
    ...{ id, url, status: disabledAt === null ? "enabled" : "disabled" },
    ...{ disabledAt: disabledAt === null ? null : new Date(disabledAt).toISOString(), reason },
  }),
};

/** Creates the registry. It keeps the endpoints of all workspaces in memory, because every attempt needs them. */
export function createEndpointRegistry(options: EndpointRegistryOptions): EndpointRegistry {
  const { store, now, newId, limits, onError } = options;
  const { monotonicNow = () => performance.now() } = options;
  let disabled = new Map<string, Set<string>>();
  /**
   * Numbers of changes in progress and of completed changes. If a change happened during a read, the result of the read
   * may be outdated.
   */
  let changing = 0;
  let changes = 0;
  const memory = new EndpointCache(MAX_ENDPOINTS_IN_MEMORY);

  function urlsOf(workspaceId: string): Set<string> {
    const urls = disabled.get(workspaceId) ?? new Set();
    disabled.set(workspaceId, urls);
    return urls;
  }

  function toStatus(row: EndpointRow): EndpointStatus {
    const { inFlight, queued, breaker } = memory.find(row.workspaceId, row.url)?.traffic.state() ?? NO_TRAFFIC;
    const { state, attempts, failures, restsUntil } = breaker;
    const retryAt = restsUntil === null ? null : Math.round(now() + restsUntil - monotonicNow());
    return { ...row, inFlight, queued, circuit: { state, attempts, failures, retryAt } };
  }

  async function list(endpoint: KnownEndpoint): Promise<void> {
    const { workspaceId, url } = endpoint;
    const usedAt = now();
    endpoint.listedAt = usedAt;
    try {
      await store.add({ id: newId("endpoint"), workspaceId, url, usedAt });
    } catch (error) {
      // The next attempt tries again.
      endpoint.listedAt = undefined;
      onError?.(error);
    }
  }

  return {
    async load() {
      const changesBefore = changes;
      const rows = await store.listDisabled();
      if (changing > 0 || changes !== changesBefore) return;
      disabled = new Map();
      for (const { workspaceId, url } of rows) urlsOf(workspaceId).add(url);
    },
    isDisabled: (workspaceId, url) => disabled.get(workspaceId)?.has(url) ?? false,
    isCircuitOpen: (workspaceId, url) =>
      disabled.get(workspaceId)?.has(url) === true ||
      memory.find(workspaceId, url)?.traffic.state().breaker.state === "open",
    async disable(workspaceId, url, reason) {
      const urls = urlsOf(workspaceId);
      if (urls.has(url)) return;
      urls.add(url);
      changing += 1;
      try {
        await store.disable({ id: newId("endpoint"), workspaceId, url, disabledAt: now(), reason });
      } catch (error) {
        onError?.(error);
      } finally {
        changing -= 1;
        changes += 1;
      }
    },
    async enable(workspaceId, endpointId, recorder) {
      const audit = recorder?.of(workspaceId, "endpoint.enabled", SUBJECT);
      const row = await store.enable(workspaceId, endpointId, now(), audit);
      changes += 1;
      disabled.get(workspaceId)?.delete(row.url);
      memory.find(row.workspaceId, row.url)?.traffic.closeBreaker();
      return toStatus(row);
    },
    async list(workspaceId, page) {
      const { data, nextCursor } = await store.list(workspaceId, page);
      return { data: data.map(toStatus), nextCursor };
    },
    totals() {
      const circuits = { closed: 0, open: 0, half_open: 0 };
      const sums = { queueing: 0, queued: 0, inFlight: 0 };
      for (const { traffic } of memory.all()) {
        const { breaker, queued, inFlight } = traffic.state();
        circuits[breaker.state] += 1;
        sums.queueing += queued > 0 ? 1 : 0;
        sums.queued += queued;
        sums.inFlight += inFlight;
      }
      const urls = [...disabled.values()];
      return { circuits, ...sums, disabled: urls.reduce((count, { size }) => count + size, 0) };
    },
    trafficTo(workspaceId, url) {
      const endpoint = memory.use(workspaceId, url, () => ({
        workspaceId,
        url,
        traffic: new EndpointLimiter(limits, monotonicNow),
        listedAt: undefined,
      }));
      const { listedAt } = endpoint;
      if (listedAt === undefined || now() - listedAt >= LIST_EVERY_MS) void list(endpoint);
      return endpoint.traffic;
    },
  };
}

/** An endpoint that calls were sent to. */
interface KnownEndpoint {
  readonly workspaceId: string;
  readonly url: string;
  readonly traffic: EndpointLimiter;
  /**
   * Time at which the store last recorded that the endpoint is used, in ms since the epoch; undefined if that still has
   * to be done.
   */
  listedAt: number | undefined;
}

/** The endpoints of one workspace, by URL. */
type OfWorkspace = RecencyMap<KnownEndpoint>;

/** Maximum number of endpoints that are examined to find one without attempts in flight. */
const MAX_LOOKS = 16;

/**
 * Caches the endpoints that calls are sent to. The size of the cache is limited, but endpoints with attempts in flight
 * are never evicted. If the cache is full, the workspace of the new endpoint loses an endpoint if it has more than its
 * fair share; otherwise the workspaces lose one in turn. A workspace loses its least recently used endpoint, together
 * with the counts of that endpoint's breaker.
 */
export class EndpointCache {
  readonly #maxEndpoints: number;
  /**
   * By workspace and URL. The maps are nested, because joining the two strings for each attempt would cost more than
   * two lookups.
   */
  readonly #workspaces = new RecencyMap<OfWorkspace>();
  #size = 0;

  constructor(maxEndpoints: number) {
    this.#maxEndpoints = maxEndpoints;
  }

  get size(): number {
    return this.#size;
  }

  *all(): Generator<KnownEndpoint, void, void> {
    for (const endpoints of this.#workspaces.values()) yield* endpoints.values();
  }

  find(workspaceId: string, url: string): KnownEndpoint | undefined {
    return this.#workspaces.get(workspaceId)?.get(url);
  }

  /** Returns the endpoint and marks it as used now. Creates it if it is not known. */
  use(workspaceId: string, url: string, make: () => KnownEndpoint): KnownEndpoint {
    const own: OfWorkspace = this.#workspaces.get(workspaceId) ?? new RecencyMap();
    const known = own.get(url);
    const endpoint = known ?? make();
    own.set(url, endpoint);
    this.#workspaces.set(workspaceId, own);
    if (known !== undefined) return known;
    this.#size += 1;
    for (let looks = 0; this.#size > this.#maxEndpoints && looks < MAX_LOOKS; looks += 1) this.#look(own, endpoint);
    return endpoint;
  }

  /** Examines the oldest endpoint, and forgets it unless it is in use. */
  #look(own: OfWorkspace, newest: KnownEndpoint): void {
    const hasMuch = own.size > this.#maxEndpoints / this.#workspaces.size;
    const workspace = hasMuch ? own : this.#workspaces.takeOldest();
    const oldest = workspace?.takeOldest();
    if (workspace === undefined || oldest === undefined) return;
    const isNeeded = oldest === newest || oldest.traffic.isBusy;
    if (isNeeded) workspace.set(oldest.url, oldest);
    else this.#size -= 1;
    if (workspace.size > 0) this.#workspaces.set(oldest.workspaceId, workspace);
    else this.#workspaces.delete(oldest.workspaceId);
  }
}
