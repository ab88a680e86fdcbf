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

/** An integration in the form that is used to check URLs. */
export interface EnabledIntegration {
  readonly name: string;
  /** Exact names, or patterns that start with `*.`. */
  readonly allowedDomains: readonly string[];
  /** Allowed ports of https URLs. */
  readonly ports: readonly number[];
  readonly limits: NonNullable<Integration["limits"]>;
  /**
   * Checks whether a host is in one of the domains. The host must be in lower case, and an IPv6 address without
   * brackets.
   */
  readonly allows: DestinationList;
}

/** The integrations of all workspaces. */
export interface Integrations {
  /**
   * Creates an integration.
   * @throws YagateError `CONFLICT` if the name is in use or the workspace has too many integrations.
   */
  create(workspaceId: string, integration: NewIntegration, recorder?: ChangeRecorder): Promise<Integration>;
  /**
   * Returns an integration.
   * @throws YagateError `NOT_FOUND`.
   */
  get(workspaceId: string, name: string): Promise<Integration>;
  /** Returns a page of the integrations, ordered by name. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Integration>>;
  /**
   * Saves the next version. If nothing changes, the current version stays.
   * @throws YagateError `CONFLICT` for an outdated `version`; `NOT_FOUND`.
   */
  update(workspaceId: string, name: string, change: IntegrationChange, recorder?: ChangeRecorder): Promise<Integration>;
  /**
   * Deletes an integration.
   * @throws YagateError `NOT_FOUND`.
   */
  delete(workspaceId: string, name: string, recorder?: ChangeRecorder): Promise<void>;
  /**
   * Returns the integrations with these names, in the same order. They may be up to a second old if several processes
   * share the store.
   */
  enabled(workspaceId: string, names: readonly string[]): Promise<readonly EnabledIntegration[]>;
  /** Returns all integrations of the workspace. Like those of `enabled`, they may be up to a second old. */
  all(workspaceId: string): Promise<readonly EnabledIntegration[]>;
}

export interface IntegrationsOptions {
  readonly store: IntegrationStore;
  readonly now: () => number;
  /**
   * Maximum age of a cached value in ms. Unlimited by default, which requires that no other process changes the value.
   */
  readonly maxAgeMs?: number;
}

// Maximum attempts at a change that specifies no `version` and so applies to any version. Other changes are attempted
// once.
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

/** Builds an integration with its fields in a fixed order. Absent fields are omitted. */
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
