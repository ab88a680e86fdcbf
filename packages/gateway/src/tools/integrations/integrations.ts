import { createDestinationList, type DestinationList } from "@yagate/lib/hosts/destination-list";
import {
  type createIntegrationSchema,
  type Integration,
  MAX_INTEGRATIONS,
  type Page,
  type PageQuery,
  type updateIntegrationSchema,
  YagateError,
} from "@yagate/protocol";
import type { AuditSubject, ChangeRecorder, IntegrationStore } from "@yagate/store/port";
import type * as z from "zod";
import { WorkspaceCache } from "./workspace-cache.ts";

type NewIntegration = z.output<typeof createIntegrationSchema>;
type IntegrationChange = z.output<typeof updateIntegrationSchema>;

/** An integration as the URL rules use it. */
export interface EnabledIntegration {
  readonly name: string;
  /** Exact names, or `*.` and a name. */
  readonly allowedDomains: readonly string[];
  /** Allowed ports of https URLs. */
  readonly ports: readonly number[];
  readonly limits: NonNullable<Integration["limits"]>;
  /** Whether a host is one of its domains. The host is in lower case, without brackets. */
  readonly allows: DestinationList;
}

/** The integrations of all workspaces. */
export interface Integrations {
  /** @throws YagateError `CONFLICT` when the name is taken, or there are too many. */
  create(workspaceId: string, integration: NewIntegration, recorder?: ChangeRecorder): Promise<Integration>;
  /** @throws YagateError `NOT_FOUND`. */
  get(workspaceId: string, name: string): Promise<Integration>;
  /** In the order of names. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Integration>>;
  /**
   * Saves the next version; a change without an effect keeps the current one.
   * @throws YagateError `CONFLICT` for a stale `version`, `NOT_FOUND`.
   */
  update(workspaceId: string, name: string, change: IntegrationChange, recorder?: ChangeRecorder): Promise<Integration>;
  /** @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, recorder?: ChangeRecorder): Promise<void>;
  /** The integrations with these names, in the same order; up to a second old where several processes share the store. */
  enabled(workspaceId: string, names: readonly string[]): Promise<readonly EnabledIntegration[]>;
  /** All integrations of the workspace; as old as with `enabled`. */
  all(workspaceId: string): Promise<readonly EnabledIntegration[]>;
}

export interface IntegrationsOptions {
  readonly store: IntegrationStore;
  readonly now: () => number;
  /** Maximum age of a cached value in ms; unlimited where no other process changes it. */
  readonly maxAgeMs?: number;
}

// Only a change without `version` is retried: it applies to any version.
const UPDATE_TRIES = 5;

const SUBJECT: AuditSubject<Integration> = {
  type: "integration",
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  show: (integration) => integration,
};

export function createIntegrations({ store, now, ...age }: IntegrationsOptions): Integrations {
  const known = new WorkspaceCache({ now, load: loadAll, ...age });

  async function loadAll(workspaceId: string): Promise<ReadonlyMap<string, EnabledIntegration>> {
    const { data } = await store.list(workspaceId, { limit: MAX_INTEGRATIONS });
    return new Map(data.map((integration) => [integration.name, toEnabled(integration)]));
  }

  async function get(workspaceId: string, name: string): Promise<Integration> {
    const found = await store.find(workspaceId, name);
    if (found === undefined) throw new YagateError("NOT_FOUND", "no integration with this name in this workspace");
    return found;
  }

  async function tryUpdate(
    workspaceId: string,
    name: string,
    change: IntegrationChange,
    recorder: ChangeRecorder | undefined,
  ) {
    const current = await get(workspaceId, name);
    if (change.version !== undefined && change.version !== current.version) {
      throw new YagateError("CONFLICT", `expected the current version, which is ${current.version}`);
    }
    const next = merge(current, change);
    if (JSON.stringify(next) === JSON.stringify(current)) return current;
    const saved = { ...next, version: current.version + 1, updatedAt: new Date(now()).toISOString() };
    try {
      await store.update(
        workspaceId,
        saved,
        current.version,
        recorder?.of(workspaceId, "integration.updated", SUBJECT),
      );
      return saved;
    } catch (error) {
      if (YagateError.is(error) && error.code === "CONFLICT" && change.version === undefined) return undefined;
      throw error;
    } finally {
      known.forget(workspaceId);
    }
  }

  return {
    async create(workspaceId, { description, limits, ...rest }, recorder) {
      const at = new Date(now()).toISOString();
      const integration = toIntegration({ ...rest, version: 1, description, limits, createdAt: at, updatedAt: at });
      const audit = recorder?.of(workspaceId, "integration.created", SUBJECT);
      await store.create(workspaceId, integration, MAX_INTEGRATIONS, audit);
      known.forget(workspaceId);
      return integration;
    },
    get,
    list: (workspaceId, page) => store.list(workspaceId, page),
    async update(workspaceId, name, change, recorder) {
      for (let attempt = 0; attempt < UPDATE_TRIES; attempt += 1) {
        const updated = await tryUpdate(workspaceId, name, change, recorder);
        if (updated !== undefined) return updated;
      }
      throw new YagateError("CONFLICT", "the integration changed repeatedly during the update: try again");
    },
    async delete(workspaceId, name, recorder) {
      await store.delete(workspaceId, name, recorder?.of(workspaceId, "integration.deleted", SUBJECT));
      known.forget(workspaceId);
    },
    all: async (workspaceId) => [...(await known.find(workspaceId)).values()],
    async enabled(workspaceId, names) {
      if (names.length === 0) return [];
      const all = await known.find(workspaceId);
      return names.flatMap((name) => all.get(name) ?? []);
    },
  };
}

function toEnabled({ name, allowedDomains, ports, limits = {} }: Integration): EnabledIntegration {
  return { name, allowedDomains, ports, limits, allows: createDestinationList(allowedDomains) };
}

function merge(current: Integration, { description, allowedDomains, ports, limits }: IntegrationChange): Integration {
  return toIntegration({
    ...current,
    allowedDomains: allowedDomains ?? current.allowedDomains,
    ports: ports ?? current.ports,
    description: description === undefined ? current.description : description,
    limits: limits === undefined ? current.limits : limits,
  });
}

interface IntegrationParts
  extends Pick<Integration, "name" | "version" | "allowedDomains" | "ports" | "createdAt" | "updatedAt"> {
  readonly description: string | null | undefined;
  readonly limits: Integration["limits"] | null;
}

/** Omits absent fields and keeps the order of the others. */
function toIntegration(parts: IntegrationParts): Integration {
  const { name, version, description, allowedDomains, ports, limits, createdAt, updatedAt } = parts;
  return {
    name,
    version,
    ...(description === null || description === undefined ? {} : { description }),
    allowedDomains: [...allowedDomains],
    ports: [...ports],
    ...(limits === null || limits === undefined ? {} : { limits }),
    createdAt,
    updatedAt,
  };
}
