import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { artifactArgument, readsArtifacts } from "@yagate/lib/artifacts/artifact-argument";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonObject, JsonValue } from "@yagate/protocol";
import { type AuthorisingPolicy, authorise } from "../../policy/authorise.ts";
import type { Tool } from "../port.ts";

/**
 * Returns the functions that determine which artifact a call reads and whether the policy allows it. Reading an
 * artifact counts as kind `data`, whatever the kind of the tool.
 *
 * @param builtin - the built-in tool that runs.
 * @param argumentsOf - converts the arguments of a call to those of the built-in tool; may throw.
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
        // A call whose arguments can't be rendered does not run.
        return undefined;
      }
    },
    ...(decision === "denied" ? { artifactDenial: reason } : {}),
  };
}
