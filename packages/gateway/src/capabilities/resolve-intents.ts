import { createHash } from "node:crypto";
import { type Agent, canonicalJson } from "@yagate/protocol";
import type { CapabilityEntry } from "@yagate/routing/capability-entry";
import type { ResolvedIntent, ResolvedTarget } from "../tools/port.ts";
import { intentEntries } from "../tools/toolset/intent-entries.ts";
import type { ResolveTarget } from "./capability-targets.ts";
import type { ReadRoutingTable } from "./routing-table.ts";

/** The intents of an agent, as they are when an execution starts. */
export interface ResolvedIntents {
  readonly intents: readonly ResolvedIntent[];
  /** Changes with the intents and with what can serve them. */
  readonly key: string;
}

/** Finds everything that can serve the intents of an agent. */
export type ResolveIntents = (workspaceId: string, agent: Pick<Agent, "tools">) => Promise<ResolvedIntents>;

export function createResolveIntents(readTable: ReadRoutingTable, resolveTarget: ResolveTarget): ResolveIntents {
  return async (workspaceId, { tools }) => {
    const table = await readTable(workspaceId);
    const intents = await Promise.all(
      intentEntries(tools).map(async ({ reference }): Promise<ResolvedIntent> => {
        const entries = table.capabilities.filter(({ intent }) => intent === reference.intent);
        const capabilities = await Promise.all(
          entries.map(async (entry) => {
            const target = await resolveTarget(workspaceId, entry);
            return { entry, target, version: versionOf(entry, target) };
          }),
        );
        return { reference, definition: table.intents.get(reference.intent), capabilities };
      }),
    );
    return { intents, key: hashOf(intents.map(keyOf)) };
  };
}

function keyOf({ reference, definition, capabilities }: ResolvedIntent) {
  return [reference.intent, definition ?? null, capabilities.map(({ entry, version }) => [entry, version])];
}

/** Returns a hash of what a call of the capability does. */
function versionOf({ key, args, result, riskClass, approval }: CapabilityEntry, target: ResolvedTarget): string {
  const { sourced } = "sourced" in target ? target : { sourced: undefined };
  const identity = sourced === undefined ? target : { source: sourced.source, tool: sourced.tool, hash: sourced.hash };
  return hashOf([key, args, result, riskClass, approval, identity]).slice(0, 16);
}

function hashOf(value: unknown): string {
  return createHash("sha256")
    .update(canonicalJson(JSON.parse(JSON.stringify(value))))
    .digest("hex");
}
