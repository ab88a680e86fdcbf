import type { CapabilityMode, FieldError, IntentDefinition } from "@yagate/protocol";
import type { CapabilityEntry } from "@yagate/routing/capability-entry";
import type { ResolvedTarget } from "../tools/port.ts";
import type { ResolveTarget } from "./capability-targets.ts";
import { schemaProblems } from "./schema-fit.ts";

/** Finds the problems of a capability: a target that does not exist, a mode that is not the target's, arguments that do not fit. */
export type CheckCapability = (
  workspaceId: string,
  entry: CapabilityEntry,
  intent: IntentDefinition,
) => Promise<readonly FieldError[]>;

/** Returns the name and the parameters of a target. */
export type DescribeTarget = (
  target: Exclude<ResolvedTarget, { readonly hosted: unknown } | { readonly problem: unknown }>,
) => Promise<{ readonly name: string; readonly parameters: IntentDefinition["parameters"] }>;

export function createCheckCapability(resolve: ResolveTarget, describe: DescribeTarget): CheckCapability {
  return async (workspaceId, entry, intent) => {
    const target = await resolve(workspaceId, entry);
    if ("problem" in target) return [target.problem];
    const problems = modeProblems(entry.mode, target);
    if ("hosted" in target) return [...problems, ...templateOfHosted(entry)];
    return [...problems, ...schemaProblems(entry, intent.parameters, await describe(target))];
  };
}

/** The data classes that an entry may handle by default depend on its mode, so the mode must be true. */
function modeProblems(mode: CapabilityMode, target: ResolvedTarget): readonly FieldError[] {
  const allowed = modesOf(target);
  if (allowed.includes(mode)) return [];
  return [{ path: "mode", code: "MODE_MISMATCH", message: `expected ${allowed.join(" or ")} for this target` }];
}

function modesOf(target: ResolvedTarget): readonly CapabilityMode[] {
  if ("hosted" in target) return ["provider_hosted"];
  return "isMcp" in target && target.isMcp ? ["mcp_remote"] : ["runtime_function", "sandboxed"];
}

function templateOfHosted({ args, result }: CapabilityEntry): readonly FieldError[] {
  const given = Object.entries({ args, result }).filter(([, value]) => value !== null);
  const message = "expected no value: the provider decides the form of a tool that it runs itself";
  return given.map(([path]) => ({ path, code: "TARGET_UNSUPPORTED", message }));
}
