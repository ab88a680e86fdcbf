import type { SideEffect } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";

/** Warns about a tool that sends requests but declares no side effect. */
export function checkSideEffect(
  name: string,
  sideEffect: SideEffect | undefined,
  path: string,
): readonly AgentFinding[] {
  if (sideEffect !== undefined) return [];
  const message =
    `${name} declares no side effect: it runs without approval, unless approval is always or ` +
    "policy.untrusted is approve_undeclared, and after an unknown outcome (a timeout, a crash) it is retried only " +
    "if retries is at least 1; " +
    "declare read_only, idempotent_write, non_idempotent_write or destructive";
  return [{ severity: "warning", path: `${path}.sideEffect`, code: "SIDE_EFFECT_UNDECLARED", message }];
}
