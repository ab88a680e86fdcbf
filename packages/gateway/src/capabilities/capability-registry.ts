import {
  type Capability,
  type createCapabilitySchema,
  type FieldError,
  type IntentDefinition,
  MAX_CAPABILITIES,
  type StoredCapability,
  type updateCapabilitySchema,
  YagateError,
} from "@yagate/protocol";
import type { CapabilityEntry } from "@yagate/routing/capability-entry";
import { GATEWAY_CAPABILITIES_AS_OF } from "@yagate/routing/gateway-capabilities";
import { gatewayCapability, mergeCapabilities, mergeCapability } from "@yagate/routing/merge-capabilities";
import type { AuditSubject, ChangeRecorder, RoutingEntry, RoutingEntryStore } from "@yagate/store/port";
import type * as z from "zod";
import { InvalidRequestError } from "../errors/request-errors.ts";
import type { CheckCapability } from "./check-capability.ts";
import { unknownIntent } from "./intents.ts";
import type { RoutingTables } from "./routing-table.ts";

/** The capabilities of all workspaces. */
export interface Capabilities {
  /** Returns the gateway's table with the entries of the workspace, sorted by key. */
  list(workspaceId: string): Promise<readonly Capability[]>;
  /** @throws YagateError `NOT_FOUND`. */
  get(workspaceId: string, key: string): Promise<Capability>;
  /** @throws YagateError `CONFLICT` if the key is taken; InvalidRequestError. */
  create(
    workspaceId: string,
    capability: z.output<typeof createCapabilitySchema>,
    recorder?: ChangeRecorder,
  ): Promise<Capability>;
  /**
   * Changes an entry of the workspace, or overrides one of the gateway's table.
   * @throws YagateError `NOT_FOUND`; `CONFLICT`; InvalidRequestError.
   */
  update(
    workspaceId: string,
    key: string,
    change: z.output<typeof updateCapabilitySchema>,
    recorder?: ChangeRecorder,
  ): Promise<Capability>;
  /** Deletes an entry of the workspace. An override ends. @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, key: string, recorder?: ChangeRecorder): Promise<void>;
}

export interface CapabilitiesOptions {
  readonly store: RoutingEntryStore<StoredCapability>;
  readonly tables: RoutingTables;
  readonly check: CheckCapability;
  readonly now: () => number;
}

type CapabilityRow = RoutingEntry<StoredCapability>;

const SUBJECT: AuditSubject<CapabilityRow> = {
  type: "capability",
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  show: ({ name, definition: { fields, createdAt, updatedAt } }) => ({ key: name, ...fields, createdAt, updatedAt }),
};

export function createCapabilities({ store, tables, check, now }: CapabilitiesOptions): Capabilities {
  /** Returns the complete entry. @throws InvalidRequestError. */
  async function checked(workspaceId: string, key: string, fields: StoredCapability["fields"]) {
    const entry = mergeCapability(key, fields);
    const missing = entry === undefined ? missingFields(key, fields) : fixedFields(key, fields);
    if (entry === undefined || missing.length > 0) throw new InvalidRequestError(missing);
    const { intents } = await tables.find(workspaceId);
    const intent = intents.get(entry.intent);
    if (intent === undefined) throw new InvalidRequestError([unknownIntent("intent", entry.intent, intents.keys())]);
    // An entry that is switched off need not work, so that one whose target is gone can be switched off.
    const problems = entry.enabled ? await check(workspaceId, entry, intent) : [];
    if (problems.length > 0) throw new InvalidRequestError(problems);
    return entry;
  }

  async function find(workspaceId: string, key: string): Promise<CapabilityRow | undefined> {
    const found = await store.find(workspaceId, key);
    if (found !== undefined || gatewayCapability(key) !== undefined) return found;
    throw new YagateError("NOT_FOUND", "no capability of this workspace has this key");
  }

  async function save(
    workspaceId: string,
    row: CapabilityRow,
    recorder: ChangeRecorder | undefined,
  ): Promise<Capability> {
    const entry = await checked(workspaceId, row.name, row.definition.fields);
    try {
      if (row.version === 1) {
        const audit = recorder?.of(workspaceId, "capability.created", SUBJECT);
        await store.create(workspaceId, row, MAX_CAPABILITIES, audit);
      } else await store.update(workspaceId, row, recorder?.of(workspaceId, "capability.updated", SUBJECT));
    } finally {
      tables.forget(workspaceId);
    }
    return toCapability(entry, row.definition);
  }

  return {
    async list(workspaceId) {
      const stored = new Map((await store.list(workspaceId)).map(({ name, definition }) => [name, definition]));
      return mergeCapabilities(stored).map((entry) => toCapability(entry, stored.get(entry.key)));
    },
    async get(workspaceId, key) {
      const definition = (await find(workspaceId, key))?.definition;
      const entry = mergeCapability(key, definition?.fields ?? {});
      if (entry === undefined) throw new YagateError("INTERNAL", "expected a complete capability");
      return toCapability(entry, definition);
    },
    create(workspaceId, { key, ...fields }, recorder) {
      const at = new Date(now()).toISOString();
      return save(
        workspaceId,
        { name: key, version: 1, definition: { fields, createdAt: at, updatedAt: at } },
        recorder,
      );
    },
    async update(workspaceId, key, change, recorder) {
      const current = await find(workspaceId, key);
      const at = new Date(now()).toISOString();
      const { fields = {}, createdAt = at } = current?.definition ?? {};
      const definition = { fields: changed(fields, change), createdAt, updatedAt: at };
      return save(workspaceId, { name: key, version: (current?.version ?? 0) + 1, definition }, recorder);
    },
    async delete(workspaceId, key, recorder) {
      if ((await find(workspaceId, key)) === undefined) {
        const message = "an entry of the gateway's table cannot be deleted: switch it off with enabled: false";
        throw new YagateError("CONFLICT", message);
      }
      await store.delete(workspaceId, key, recorder?.of(workspaceId, "capability.deleted", SUBJECT));
      tables.forget(workspaceId);
    },
  };
}

/** Finds the capabilities whose arguments would no longer fit a changed intent. */
export function createMisfits(tables: RoutingTables, check: CheckCapability) {
  return async (workspaceId: string, intent: IntentDefinition): Promise<readonly FieldError[]> => {
    const { capabilities } = await tables.find(workspaceId);
    const serving = capabilities.filter((entry) => entry.intent === intent.name && entry.enabled);
    const problems = await Promise.all(
      serving.map(async (entry) =>
        (await check(workspaceId, entry, intent))
          .filter(({ path }) => /^args\b/.test(path))
          .map(({ path, message }) => ({ code: "CAPABILITY_MISFIT", message: `${entry.key}, ${path}: ${message}` })),
      ),
    );
    return problems.flat().map((problem) => ({ path: "parameters", ...problem }));
  };
}

function missingFields(key: string, fields: StoredCapability["fields"]): readonly FieldError[] {
  const names = (["intent", "mode", "target"] as const).filter((name) => fields[name] === undefined);
  const message = `expected a value, because ${key} is not a key of the gateway's table`;
  return names.map((path) => ({ path, code: "REQUIRED", message }));
}

/** An override must serve the same intent with the same tool, so that its key keeps its meaning. */
function fixedFields(key: string, fields: StoredCapability["fields"]): readonly FieldError[] {
  if (gatewayCapability(key) === undefined) return [];
  const names = (["intent", "mode", "target", "args", "result"] as const).filter((name) => fields[name] !== undefined);
  const message = `expected no value: ${key} is an entry of the gateway's table; choose another key for your own capability`;
  return names.map((path) => ({ path, code: "GATEWAY_ENTRY", message }));
}

function changed(
  fields: StoredCapability["fields"],
  change: z.output<typeof updateCapabilitySchema>,
): StoredCapability["fields"] {
  const next = Object.entries({ ...fields, ...change }).filter(([name, value]) => {
    const isOmitted = value === undefined && !Object.hasOwn(fields, name);
    return value !== null && !isOmitted;
  });
  return Object.fromEntries(next.map(([name, value]) => [name, value ?? Object(fields)[name]]));
}

function toCapability(entry: CapabilityEntry, stored: StoredCapability | undefined): Capability {
  const isGateways = gatewayCapability(entry.key) !== undefined;
  return {
    ...entry,
    ...{ providers: [...entry.providers], modelPatterns: [...entry.modelPatterns] },
    ...{ requiredScopes: [...entry.requiredScopes], regions: [...entry.regions], dataClasses: [...entry.dataClasses] },
    origin: isGateways ? "gateway" : "workspace",
    isOverride: isGateways && stored !== undefined,
    asOf: isGateways ? GATEWAY_CAPABILITIES_AS_OF : null,
    createdAt: stored?.createdAt ?? null,
    updatedAt: stored?.updatedAt ?? null,
  };
}
