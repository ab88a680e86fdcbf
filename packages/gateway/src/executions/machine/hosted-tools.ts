import type { HostedCall } from "@yagate/protocol";

/** Names of the tools, each once, whose results the provider gave its model with an answer. */
export function answeredTools(calls: readonly HostedCall[] = []): readonly string[] {
  return [...new Set(calls.filter(({ status }) => status === "completed").map(({ name }) => name))];
}
