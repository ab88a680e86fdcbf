import { YagateError } from "@yagate/protocol";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";

/** An intent or a capability of a workspace. */
export interface RoutingEntry<Definition> {
  /** Name of the intent, or key of the capability. */
  readonly name: string;
  /** From 1. Each change adds 1. */
  readonly version: number;
  readonly definition: Definition;
}

/** The intents or the capabilities of all workspaces. */
export interface RoutingEntryStore<Definition> {
  /**
   * Creates an entry. @throws YagateError `CONFLICT` if the name is taken or the workspace would have more than
   * `maxEntries`.
   */
  create(
    workspaceId: string,
    entry: RoutingEntry<Definition>,
    maxEntries: number,
    audit?: AuditOf<Definition>,
  ): Promise<void>;
  find(workspaceId: string, name: string): Promise<RoutingEntry<Definition> | undefined>;
  /** Lists all entries of a workspace, ordered by name. */
  list(workspaceId: string): Promise<readonly RoutingEntry<Definition>[]>;
  /** Changes an entry. @throws YagateError `CONFLICT` if the current version is not the one before; `NOT_FOUND`. */
  update(workspaceId: string, entry: RoutingEntry<Definition>, audit?: AuditOf<Definition>): Promise<void>;
  /** Deletes an entry. @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, audit?: AuditOf<Definition>): Promise<void>;
}

type AuditOf<Definition> = Audit<RoutingEntry<Definition>>;

interface EntryRecord {
  readonly name: string;
  readonly version: number;
  readonly definition: string;
}

/** Creates the store of one kind of entries. */
export function createRoutingEntryStore<Definition>(
  units: UnitRunner,
  kind: "intent" | "capability",
): RoutingEntryStore<Definition> {
  const words = { intent: { one: "an intent", name: "name" }, capability: { one: "a capability", name: "key" } }[kind];
  const missing = () => new YagateError("NOT_FOUND", `no ${kind} of this workspace has this ${words.name}`);

  function toEntry({ name, version, definition }: EntryRecord): RoutingEntry<Definition> {
    return { name, version: Number(version), definition: fromJson<Definition>(definition) };
  }

  function* find(workspaceId: string, name: string): UnitOfWork<RoutingEntry<Definition> | undefined> {
    const record = yield* first(sql<EntryRecord>`
      SELECT name, version, definition FROM routing_entries
      WHERE workspace_id = ${workspaceId} AND kind = ${kind} AND name = ${name}`);
    return record && toEntry(record);
  }

  function* list(workspaceId: string): UnitOfWork<readonly RoutingEntry<Definition>[]> {
    const records = yield* all(sql<EntryRecord>`
      SELECT name, version, definition FROM routing_entries
      WHERE workspace_id = ${workspaceId} AND kind = ${kind} ORDER BY name`);
    return records.map(toEntry);
  }

  function* create(
    workspaceId: string,
    entry: RoutingEntry<Definition>,
    maxEntries: number,
    audit?: AuditOf<Definition>,
  ): UnitOfWork<void> {
    const { name, version, definition } = entry;
    const row = yield* first(sql<{ count: number }>`
      SELECT count(*) AS count FROM routing_entries WHERE workspace_id = ${workspaceId} AND kind = ${kind}`);
    if (Number(row?.count ?? 0) >= maxEntries) {
      const message = `a workspace can create ${words.one} at most ${maxEntries} times: delete an unused one`;
      throw new YagateError("CONFLICT", message);
    }
    const created = yield* first(sql<{ name: string }>`
      INSERT INTO routing_entries (workspace_id, kind, name, version, definition)
      VALUES (${workspaceId}, ${kind}, ${name}, ${version}, ${JSON.stringify(definition)})
      ON CONFLICT (workspace_id, kind, name) DO NOTHING RETURNING name`);
    if (created === undefined) {
      throw new YagateError(
        "CONFLICT",
        `${words.one} with this ${words.name} exists: change it, or choose another one`,
      );
    }
    yield* recordChange(audit, null, entry);
  }

  function* update(
    workspaceId: string,
    entry: RoutingEntry<Definition>,
    audit?: AuditOf<Definition>,
  ): UnitOfWork<void> {
    const { name, version, definition } = entry;
    const before = yield* find(workspaceId, name);
    if (before === undefined) throw missing();
    const updated = yield* first(sql<{ name: string }>`
      UPDATE routing_entries SET version = ${version}, definition = ${JSON.stringify(definition)}
      WHERE workspace_id = ${workspaceId} AND kind = ${kind} AND name = ${name} AND version = ${version - 1}
      RETURNING name`);
    if (updated === undefined) throw new YagateError("CONFLICT", `another request has changed the ${kind}: try again`);
    yield* recordChange(audit, before, entry);
  }

  function* remove(workspaceId: string, name: string, audit?: AuditOf<Definition>): UnitOfWork<void> {
    const record = yield* first(sql<EntryRecord>`
      DELETE FROM routing_entries WHERE workspace_id = ${workspaceId} AND kind = ${kind} AND name = ${name}
      RETURNING name, version, definition`);
    if (record === undefined) throw missing();
    yield* recordChange(audit, toEntry(record), null);
  }

  return {
    create: (...change) => units.write(() => create(...change)),
    find: (workspaceId, name) => units.read(() => find(workspaceId, name)),
    list: (workspaceId) => units.read(() => list(workspaceId)),
    update: (...change) => units.write(() => update(...change)),
    delete: (...change) => units.write(() => remove(...change)),
  };
}
