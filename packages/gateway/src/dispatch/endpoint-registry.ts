import type { Page, PageQuery } from "@yagate/protocol";
import type { EndpointRow, EndpointStore } from "../journal/port.ts";

/** Handler URLs that said they are gone; nothing is sent to them until somebody enables them again. */
export interface EndpointRegistry {
  /** Reads what is disabled; call it before the first attempt. @throws YagateError `UNAVAILABLE`. */
  load(): Promise<void>;
  isDisabled(workspaceId: string, url: string): boolean;
  /** Takes effect at once; resolves when it is durable, or when the store failed and `onError` was told. */
  disable(workspaceId: string, url: string, reason: string): Promise<void>;
  /** @throws YagateError `NOT_FOUND`, `UNAVAILABLE`. */
  enable(workspaceId: string, endpointId: string): Promise<EndpointRow>;
  /** @throws YagateError `UNAVAILABLE`. */
  list(workspaceId: string, page: PageQuery): Promise<Page<EndpointRow>>;
}

export interface EndpointRegistryOptions {
  readonly store: EndpointStore;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly newId: (kind: "endpoint") => string;
  /** For the log. */
  readonly onError?: (error: unknown) => void;
}

/** Keeps the disabled endpoints of all workspaces in memory: each attempt asks. */
export function createEndpointRegistry(options: EndpointRegistryOptions): EndpointRegistry {
  const { store, now, newId, onError } = options;
  const disabled = new Map<string, Set<string>>();

  function urlsOf(workspaceId: string): Set<string> {
    const known = disabled.get(workspaceId) ?? new Set();
    disabled.set(workspaceId, known);
    return known;
  }

  return {
    async load() {
      for (const { workspaceId, url } of await store.listDisabled()) urlsOf(workspaceId).add(url);
    },
    isDisabled: (workspaceId, url) => disabled.get(workspaceId)?.has(url) ?? false,
    async disable(workspaceId, url, reason) {
      const urls = urlsOf(workspaceId);
      if (urls.has(url)) return;
      urls.add(url);
      try {
        await store.disable({ id: newId("endpoint"), workspaceId, url, disabledAt: now(), reason });
      } catch (error) {
        onError?.(error);
      }
    },
    async enable(workspaceId, endpointId) {
      const row = await store.enable(workspaceId, endpointId);
      disabled.get(workspaceId)?.delete(row.url);
      return row;
    },
    list: (workspaceId, page) => store.list(workspaceId, page),
  };
}
