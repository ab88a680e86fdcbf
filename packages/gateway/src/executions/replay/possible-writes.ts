import type { FieldError } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import type { Tool, Toolset } from "../../tools/port.ts";

/** A call of an earlier execution. */
type EarlierCall = { readonly name: string; readonly turn: number };

/**
 * Returns an error that lists the tools of an agent that may write; undefined if all of them only read, or the policy
 * denies the others.
 *
 * @param fromTurn - the first model turn whose calls would be sent again.
 */
export function possibleWrites(
  toolset: Toolset,
  { calls, fromTurn }: { readonly calls: readonly EarlierCall[]; readonly fromTurn: number },
): InvalidRequestError | undefined {
  const tools = [...toolset.withArtifacts.tools.values(), ...(toolset.routed?.tools.values() ?? [])];
  const writing = new Map(tools.filter(mayWrite).map((tool) => [tool.name, tool]));
  if (writing.size === 0) return undefined;
  const fields = [...writing.values()].map(({ name, sideEffect }): FieldError => {
    const count = calls.filter((call) => call.name === name && call.turn >= fromTurn).length;
    const declared = sideEffect ?? "no declared side effect";
    const before = count === 1 ? "was called once" : `was called ${count} times`;
    return {
      path: "confirm",
      code: "CONFIRMATION_REQUIRED",
      message: `${name} may write (${declared}); it ${before} in these model turns`,
    };
  });
  const message = `${writing.size === 1 ? "a tool" : `${writing.size} tools`} of the agent may write, and a live replay may write again: send confirm: true if that is intended; see errors`;
  return new InvalidRequestError(fields, "CONFLICT", message);
}

function mayWrite({ sideEffect, policyDecision }: Tool): boolean {
  return sideEffect !== "read_only" && policyDecision.decision !== "denied";
}
