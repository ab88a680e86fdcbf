import type { Page, PageQuery } from "@yagate/protocol";
import type { EndpointRow, EndpointStore } from "../journal/port.ts";
import { DEFAULT_TRAFFIC_LIMITS, EndpointTraffic, type TrafficLimits, type TrafficState } from "./endpoint-traffic.ts";

/** An endpoint as it is kept, and what this process sends it at the moment. */
export interface EndpointStatus extends EndpointRow {
  readonly inFlight: number;
  readonly queued: number;
  readonly circuit: {
    readonly state: TrafficState["breaker"]["state"];
    readonly attempts: number;
    readonly failures: number;
    /** ms since the epoch: when an open circuit lets one attempt through; null otherwise. */
    readonly retryAt: number | null;
  };
}

/**
 * The handler URLs that calls went to, by workspace: which of them said that they are gone, and how much is sent to each
 * of them at once.
 */
export interface EndpointRegistry {
  /**
   * Reads what is disabled: before the first attempt, and again where other processes may change it.
   * @throws YagateError `UNAVAILABLE`.
   */
  load(): Promise<void>;
  isDisabled(workspaceId: string, url: string): boolean;
  /** Takes effect at once; resolves when it is durable, or when the store failed and `onError` was told. */
  disable(workspaceId: string, url: string, reason: string): Promise<void>;
  /** Nothing keeps attempts from it afterwards: neither an earlier 410 nor its breaker. @throws YagateError `NOT_FOUND`, `UNAVAILABLE`. */
  enable(workspaceId: string, endpointId: string): Promise<EndpointStatus>;
  /** @throws YagateError `UNAVAILABLE`. */
  list(workspaceId: string, page: PageQuery): Promise<Page<EndpointStatus>>;
  /** What decides when an attempt may be sent there; one that is new is listed from now on. */
  trafficTo(workspaceId: string, url: string): EndpointTraffic;
}

export interface EndpointRegistryOptions {
  readonly store: EndpointStore;
  /** ms since the epoch. */
  readonly now: () => number;
  /** ms of a clock that never goes back; default `performance.now`. */
  readonly monotonicNow?: () => number;
  readonly newId: (kind: "endpoint") => string;
  readonly limits?: TrafficLimits;
  /** For the log. */
  readonly onError?: (error: unknown) => void;
}

/** Beyond these the oldest that nothing is known of are forgotten. */
const MAX_ENDPOINTS_IN_MEMORY = 10_000;

type Place = Pick<EndpointRow, "workspaceId" | "url">;

interface KnownEndpoint extends Place {
  readonly traffic: EndpointTraffic;
  /** False again when that failed: whoever is sent there next tries anew. */
  isListed: boolean;
}

const NO_TRAFFIC: TrafficState = {
  inFlight: 0,
  queued: 0,
  breaker: { state: "closed", attempts: 0, failures: 0, restsUntil: null },
};

/** Keeps the endpoints of all workspaces in memory: each attempt asks. */
export function createEndpointRegistry(options: EndpointRegistryOptions): EndpointRegistry {
  const { store, now, newId, onError } = options;
  const { limits = DEFAULT_TRAFFIC_LIMITS, monotonicNow = () => performance.now() } = options;
  let disabled = new Map<string, Set<string>>();
  /** What is changed here and was changed since: what was read meanwhile may be older. */
  let changing = 0;
  let changes = 0;
  /** In the order in which they were first sent to. */
  const known = new Set<KnownEndpoint>();
  /** The same by workspace and URL: nested, since to join the two for each attempt would cost more than to look twice. */
  const byPlace = new Map<string, Map<string, KnownEndpoint>>();

  function urlsOf(workspaceId: string): Set<string> {
    const urls = disabled.get(workspaceId) ?? new Set();
    disabled.set(workspaceId, urls);
    return urls;
  }

  function toStatus(row: EndpointRow): EndpointStatus {
    const { inFlight, queued, breaker } = find(row)?.traffic.state() ?? NO_TRAFFIC;
    const { state, attempts, failures, restsUntil } = breaker;
    const retryAt = restsUntil === null ? null : Math.round(now() + restsUntil - monotonicNow());
    return { ...row, inFlight, queued, circuit: { state, attempts, failures, retryAt } };
  }

  function find({ workspaceId, url }: Place): KnownEndpoint | undefined {
    return byPlace.get(workspaceId)?.get(url);
  }

  function remember(endpoint: KnownEndpoint): void {
    const { workspaceId, url } = endpoint;
    const ofWorkspace = byPlace.get(workspaceId) ?? new Map<string, KnownEndpoint>();
    byPlace.set(workspaceId, ofWorkspace.set(url, endpoint));
    known.add(endpoint);
    if (known.size > MAX_ENDPOINTS_IN_MEMORY) forgetOne(endpoint);
  }

  /** The one that was just made is idle too. */
  function forgetOne(newest: KnownEndpoint): void {
    for (const endpoint of known) {
      if (endpoint === newest || !endpoint.traffic.isIdle) continue;
      known.delete(endpoint);
      const ofWorkspace = byPlace.get(endpoint.workspaceId);
      ofWorkspace?.delete(endpoint.url);
      if (ofWorkspace?.size === 0) byPlace.delete(endpoint.workspaceId);
      return;
    }
  }

  async function list(endpoint: KnownEndpoint): Promise<void> {
    const { workspaceId, url } = endpoint;
    endpoint.isListed = true;
    try {
      await store.add({ id: newId("endpoint"), workspaceId, url });
    } catch (error) {
      endpoint.isListed = false;
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
    async enable(workspaceId, endpointId) {
      const row = await store.enable(workspaceId, endpointId);
      changes += 1;
      disabled.get(workspaceId)?.delete(row.url);
      find(row)?.traffic.closeBreaker();
      return toStatus(row);
    },
    async list(workspaceId, page) {
      const { data, nextCursor } = await store.list(workspaceId, page);
      return { data: data.map(toStatus), nextCursor };
    },
    trafficTo(workspaceId, url) {
      let endpoint = byPlace.get(workspaceId)?.get(url);
      if (endpoint === undefined) {
        endpoint = { workspaceId, url, traffic: new EndpointTraffic(limits, monotonicNow), isListed: false };
        remember(endpoint);
      }
      if (!endpoint.isListed) void list(endpoint);
      return endpoint.traffic;
    },
  };
}
