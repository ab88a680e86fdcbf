import type { CapabilityEntry } from "../src/capability-entry.ts";
import { GATEWAY_CAPABILITIES } from "../src/gateway-capabilities.ts";
import type { CapabilityFacts } from "../src/refusal-of.ts";

/** Returns a capability that any execution may use, with changes. */
export function entryOf(change: Partial<CapabilityEntry> & Pick<CapabilityEntry, "key">): CapabilityEntry {
  return {
    ...{ intent: "web.search", mode: "runtime_function", target: { builtin: "web_search" }, args: null, result: null },
    ...{ providers: [], modelPatterns: [], priority: 50, costClass: "low", riskClass: null, supportsCitations: false },
    ...{ requiredScopes: [], regions: [], dataClasses: [], approval: null, enabled: true },
    ...change,
  };
}

/** Returns what is known about a capability that works, with changes. */
export function factsOf(entry: CapabilityEntry, change: Partial<CapabilityFacts> = {}): CapabilityFacts {
  const works = { isAvailable: true, isConfigured: true, isAllowed: true, isCircuitOpen: false, hasFailed: false };
  return { entry, version: "1", ...works, ...change };
}

export function gatewayEntry(key: string): CapabilityEntry {
  const found = GATEWAY_CAPABILITIES.find((entry) => entry.key === key);
  if (found === undefined) throw new Error(`expected a key of the gateway's table: ${key}`);
  return found;
}
