import { RecencyMap } from "@yagate/lib/cache/recency-map";
import type { EndpointLimiter } from "./endpoint-limiter.ts";

/** An endpoint that was sent to. */
export interface KnownEndpoint {
  readonly workspaceId: string;
  readonly url: string;
  readonly traffic: EndpointLimiter;
  /** When it was last written down as being used, in ms since the epoch; undefined when that is to be done. */
  listedAt: number | undefined;
}

/** By URL. */
type OfWorkspace = RecencyMap<KnownEndpoint>;

/** So many are looked at to find one that nothing is on its way to. */
const MAX_LOOKS = 16;

/**
 * Remembers what is sent to endpoints: to so many at most, beside those that attempts are on their way to. Whoever has
 * more than a fair share of the room makes some, else all workspaces in turn: of each the endpoint goes that was used
 * longest ago, and with it what its breaker has counted.
 */
export class EndpointCache {
  readonly #maxEndpoints: number;
  /** By workspace and URL: nested, since to join the two for each attempt would cost more than to look twice. */
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

  /** Finds the one that is used now, or makes it. */
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

  /** Forgets one, or finds that it is needed. */
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
