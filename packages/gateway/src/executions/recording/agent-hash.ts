import { createHash } from "node:crypto";
import { type Agent, canonicalJson } from "@yagate/protocol";
import type { Toolset } from "../../tools/port.ts";

/**
 * Hashes what an agent's model reads: the name of the model, the system prompt and the definitions of its tools. A
 * recording no longer fits an agent with another hash. Ids, versions and names of agents do not count, so an agent that
 * is created from the same definition has the same hash in another gateway.
 *
 * @returns `sha256:` and 64 hex digits.
 */
export function recordedAgentHash({ model, systemPrompt }: Agent, { tools, hostedTools }: Toolset): string {
  const definitions = [...tools.values()]
    .map(({ name, description, schemaHash }) => ({ name, description, schemaHash }))
    .sort(byName);
  const hosted = hostedTools.map(({ name, hosted: kind }) => ({ name, kind })).sort(byName);
  const text = canonicalJson({ model, systemPrompt, tools: definitions, hosted });
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : 1;
}
