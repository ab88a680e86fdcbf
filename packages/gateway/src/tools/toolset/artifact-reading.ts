import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { artifactArgument, readsArtifacts } from "@yagate/lib/artifacts/artifact-argument";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonObject, JsonValue } from "@yagate/protocol";
import { type AuthorisingPolicy, authorise } from "../../policy/authorise.ts";
import type { Tool } from "../port.ts";

/**
 * What of a tool is about artifacts: which one a call reads, and whether the policy lets it. Stored data is read, whatever
 * kind the tool itself is of.
 *
 * @param builtin - what runs in the end.
 * @param argumentsOf - what it is given for the arguments of a call; may throw.
 */
export function artifactReading(
  policy: AuthorisingPolicy,
  builtin: Pick<BuiltinTool, "kind" | "name">,
  argumentsOf: (parameters: JsonObject) => JsonValue = (parameters) => parameters,
): Pick<Tool, "artifactReadBy" | "artifactDenial"> {
  if (!readsArtifacts(builtin)) return {};
  const { decision, reason } = authorise(policy, { kind: "data", risk: "read_only" });
  return {
    artifactReadBy(parameters) {
      if (!isJsonObject(parameters)) return undefined;
      try {
        return artifactArgument(argumentsOf({ ...parameters }));
      } catch {
        // Nothing runs of what can't be handed on.
        return undefined;
      }
    },
    ...(decision === "denied" ? { artifactDenial: reason } : {}),
  };
}
