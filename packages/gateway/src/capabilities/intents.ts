import { meantInstead } from "@yagate/lib/json-schema/closest-word";
import {
  canonicalJson,
  type createIntentSchema,
  type FieldError,
  GATEWAY_INTENTS,
  type Intent,
  type IntentDefinition,
  type JsonObject,
  MAX_INTENTS,
  type StoredIntent,
  type updateIntentSchema,
  YagateError,
} from "@yagate/protocol";
import type { AuditSubject, ChangeRecorder, RoutingEntry, RoutingEntryStore } from "@yagate/store/port";
import { checkParametersSchema } from "@yagate/tool-definitions/arguments/check-parameters-schema";
import { fieldPath } from "@yagate/tool-definitions/field-path";
import type * as z from "zod";
import { InvalidRequestError } from "../errors/request-errors.ts";
import type { ReadRoutingTable, RoutingTables } from "./routing-table.ts";

/** The intents of all workspaces. */
export interface Intents {
  /** Returns the gateway's intents and those of the workspace, sorted by name. */
  list(workspaceId: string): Promise<readonly Intent[]>;
  /** @throws YagateError `NOT_FOUND`. */
  get(workspaceId: string, name: string): Promise<Intent>;
  /** @throws YagateError `CONFLICT` if the name is taken; InvalidRequestError. */
  create(workspaceId: string, intent: z.output<typeof createIntentSchema>, recorder?: ChangeRecorder): Promise<Intent>;
  /** @throws YagateError `NOT_FOUND`; `CONFLICT` for an intent of the gateway; InvalidRequestError. */
  update(
    workspaceId: string,
    name: string,
    change: z.output<typeof updateIntentSchema>,
    recorder?: ChangeRecorder,
  ): Promise<Intent>;
  /** @throws YagateError `NOT_FOUND`; `CONFLICT` while a capability serves the intent, and for one of the gateway. */
  delete(workspaceId: string, name: string, recorder?: ChangeRecorder): Promise<void>;
}

export interface IntentsOptions {
  readonly store: RoutingEntryStore<StoredIntent>;
  readonly tables: RoutingTables;
  /** Finds the capabilities that an intent with other parameters would no longer fit. */
  readonly misfits: (workspaceId: string, intent: IntentDefinition) => Promise<readonly FieldError[]>;
  readonly now: () => number;
  readonly newIntentId: () => string;
}

type IntentEntry = RoutingEntry<StoredIntent>;

const SUBJECT: AuditSubject<IntentEntry> = {
  type: "intent",
  idOf: ({ definition }) => definition.id,
  nameOf: ({ name }) => name,
  show: toIntent,
};

const GATEWAYS: ReadonlyMap<string, Intent> = new Map(
  GATEWAY_INTENTS.map((intent) => [
    intent.name,
    { id: null, ...intent, parameters: { ...intent.parameters }, origin: "gateway", createdAt: null, updatedAt: null },
  ]),
);

export function createIntents({ store, tables, misfits, now, newIntentId }: IntentsOptions): Intents {
  async function own(workspaceId: string, name: string): Promise<IntentEntry> {
    if (GATEWAYS.has(name)) {
      throw new YagateError("CONFLICT", `${name} is an intent of the gateway, which a workspace cannot change`);
    }
    const found = await store.find(workspaceId, name);
    if (found === undefined) throw new YagateError("NOT_FOUND", "no intent of this workspace has this name");
    return found;
  }

  return {
    async list(workspaceId) {
      const entries = await store.list(workspaceId);
      const all = [...GATEWAYS.values(), ...entries.map(toIntent)];
      return all.toSorted((left, right) => (left.name < right.name ? -1 : 1));
    },
    async get(workspaceId, name) {
      return GATEWAYS.get(name) ?? toIntent(await own(workspaceId, name));
    },
    async create(workspaceId, { name, description, parameters }, recorder) {
      if (GATEWAYS.has(name))
        throw new YagateError("CONFLICT", `${name} is an intent of the gateway: choose another name`);
      assertParameters(parameters);
      const at = new Date(now()).toISOString();
      const definition = { id: newIntentId(), description, parameters, createdAt: at, updatedAt: at };
      const entry = { name, version: 1, definition };
      await store.create(workspaceId, entry, MAX_INTENTS, recorder?.of(workspaceId, "intent.created", SUBJECT));
      tables.forget(workspaceId);
      return toIntent(entry);
    },
    async update(workspaceId, name, { description, parameters }, recorder) {
      const current = await own(workspaceId, name);
      const before = current.definition;
      const next = { description: description ?? before.description, parameters: parameters ?? before.parameters };
      const isSame = next.description === before.description && isEqual(next.parameters, before.parameters);
      if (isSame) return toIntent(current);
      if (parameters !== undefined) {
        assertParameters(parameters);
        const problems = await misfits(workspaceId, { name, ...next });
        if (problems.length > 0) throw new InvalidRequestError(problems);
      }
      const definition = { ...before, ...next, updatedAt: new Date(now()).toISOString() };
      const entry = { name, version: current.version + 1, definition };
      await store.update(workspaceId, entry, recorder?.of(workspaceId, "intent.updated", SUBJECT));
      tables.forget(workspaceId);
      return toIntent(entry);
    },
    async delete(workspaceId, name, recorder) {
      await own(workspaceId, name);
      const { capabilities } = await tables.find(workspaceId);
      const serving = capabilities.filter(({ intent }) => intent === name).map(({ key }) => key);
      if (serving.length > 0) {
        throw new YagateError("CONFLICT", `capabilities serve this intent: delete them first: ${serving.join(", ")}`);
      }
      await store.delete(workspaceId, name, recorder?.of(workspaceId, "intent.deleted", SUBJECT));
      tables.forget(workspaceId);
    },
  };
}

/** Creates the check of the intents to which a request narrows an execution. */
export function createAssertIntents(readTable: ReadRoutingTable) {
  return async (workspaceId: string, intents: readonly string[] = []): Promise<void> => {
    if (intents.length === 0) return;
    const { intents: known } = await readTable(workspaceId);
    const unknown = intents.flatMap((name, index) =>
      known.has(name) ? [] : [unknownIntent(`routing.intents[${index}]`, name, known.keys())],
    );
    if (unknown.length > 0) throw new InvalidRequestError(unknown);
  };
}

/** Describes an intent that does not exist, with the name that was probably meant. */
export function unknownIntent(path: string, name: string, known: Iterable<string>): FieldError {
  const message = `expected an intent of the gateway or of this workspace${meantInstead(name, known)}`;
  return { path, code: "UNKNOWN_INTENT", message };
}

function assertParameters(parameters: JsonObject): void {
  const problems = checkParametersSchema(parameters).map(({ path, code, message }) => ({
    ...{ path: fieldPath("parameters", parameters, path), code, message },
  }));
  if (problems.length > 0) throw new InvalidRequestError(problems);
}

function isEqual(left: JsonObject, right: JsonObject): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

function toIntent({ name, definition }: IntentEntry): Intent {
  const { id, description, parameters, createdAt, updatedAt } = definition;
  return { id, name, description, parameters: { ...parameters }, origin: "workspace", createdAt, updatedAt };
}
