import { RecencyMap } from "@yagate/lib/cache/recency-map";
import type { EndpointLimiter } from "./endpoint-limiter.ts";

/** An endpoint that calls were sent to. */
export interface KnownEndpoint {
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
