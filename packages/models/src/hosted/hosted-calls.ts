import type { HostedCall, JsonValue } from "@yagate/protocol";
import type { AssistantPart } from "../port.ts";
import { shorten } from "./shorten.ts";

/**
 * Converts the provider-run calls in a reply for the record, each with its input and result.
 *
 * @param ownName - maps the provider's name for a tool to the agent's name.
 */
export function toHostedCalls(
  parts: readonly AssistantPart[],
  ownName: (providerName: string) => string,
): readonly HostedCall[] {
  if (!parts.some(({ type }) => type === "hosted_call" || type === "hosted_result")) return [];
  const results = new Map(
    parts.flatMap((part) => (part.type === "hosted_result" ? [[part.providerCallId, part] as const] : [])),
  );
  const called = new Set<string>();
  const calls = parts.flatMap((part): HostedCall[] => {
    if (part.type !== "hosted_call") return [];
    called.add(part.providerCallId);
    return [toHostedCall(part.providerCallId, ownName(part.name), part.input, results.get(part.providerCallId))];
  });
  // A result whose call is in an earlier turn.
  const late = [...results.values()].filter(({ providerCallId }) => !called.has(providerCallId));
  return [...calls, ...late.map((result) => toHostedCall(result.providerCallId, ownName(result.name), null, result))];
}

function toHostedCall(
  id: string,
  name: string,
  input: JsonValue,
  result: { readonly output: JsonValue; readonly isError: boolean } | undefined,
): HostedCall {
  const asked = shorten(input);
  const call = { id, name, input: asked.value };
  const cut = { isTruncated: true };
  if (result === undefined) return { ...call, status: "pending", ...(asked.isShortened ? cut : {}) };
  const output = shorten(result.output);
  const isCut = asked.isShortened || output.isShortened;
  return { ...call, status: result.isError ? "failed" : "completed", output: output.value, ...(isCut ? cut : {}) };
}
