import type { StoredCapability } from "@yagate/protocol";
import type { CapabilityEntry } from "./capability-entry.ts";
import { GATEWAY_CAPABILITIES } from "./gateway-capabilities.ts";

const GATEWAY_ENTRIES: ReadonlyMap<string, CapabilityEntry> = new Map(
  GATEWAY_CAPABILITIES.map((entry) => [entry.key, entry]),
);

/** Returns the entry of the gateway's table with this key; undefined if it has none. */
export function gatewayCapability(key: string): CapabilityEntry | undefined {
  return GATEWAY_ENTRIES.get(key);
}

/** The values of the fields that an entry of a workspace leaves out. */
const DEFAULTS: Omit<CapabilityEntry, "key" | "intent" | "mode" | "target"> = {
  args: null,
  result: null,
  providers: [],
  modelPatterns: [],
  priority: 50,
  costClass: "medium",
  riskClass: null,
  supportsCitations: false,
  requiredScopes: [],
  regions: [],
  dataClasses: [],
  approval: null,
  enabled: true,
};

/**
 * Returns a capability with all of its fields. An override keeps the values of the gateway's entry that it does not
 * change.
 *
 * @returns undefined if the fields are those of no gateway's entry and lack the intent, the mode or the target.
 */
export function mergeCapability(key: string, fields: StoredCapability["fields"]): CapabilityEntry | undefined {
  const { intent, mode, target, ...values } = { ...gatewayCapability(key), ...withoutUndefined(fields) };
  if (intent === undefined || mode === undefined || target === undefined) return undefined;
  return { ...DEFAULTS, ...values, key, intent, mode, target };
}

/** Returns all capabilities of a workspace, sorted by key: the gateway's table with the entries of the workspace. */
export function mergeCapabilities(stored: ReadonlyMap<string, StoredCapability>): readonly CapabilityEntry[] {
  const keys = [...new Set([...GATEWAY_ENTRIES.keys(), ...stored.keys()])].toSorted();
  return keys.flatMap((key) => mergeCapability(key, stored.get(key)?.fields ?? {}) ?? []);
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}
