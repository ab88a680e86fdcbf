import type { Agent } from "@yagate/client";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { meantInstead } from "@yagate/lib/json-schema/closest-word";
import { YagateError } from "@yagate/protocol";
import type { EvalCase } from "../cases/eval-case.ts";

/**
 * Checks that the agent of a case lists the intents that the case expects. Routing never chooses a capability for any
 * other intent, so a run could only fail.
 *
 * @throws YagateError `INVALID_REQUEST`.
 */
export function assertKnownIntents({ expected_intents: expected = [] }: EvalCase, { name, tools }: Agent): void {
  const listed = tools.flatMap((tool) => intentOf({ ...tool }) ?? []);
  const unknown = expected.find((intent) => !listed.includes(intent));
  if (unknown === undefined) return;
  const meant = meantInstead(unknown, listed);
  const rest = meant === "" ? `: its intents are ${listed.length === 0 ? "none" : listed.join(", ")}` : meant;
  throw new YagateError("INVALID_REQUEST", `expected_intents: the agent ${name} has no intent ${unknown}${rest}`);
}

function intentOf({ intent, builtin, config }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof intent === "string") return intent;
  // This setting of the built-in tool makes it the intent.
  const isPreferred = isJsonObject(config) && config["providerHosted"] === "prefer";
  return builtin === "web_search" && isPreferred ? "web.search" : undefined;
}
