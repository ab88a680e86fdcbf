import { toolKey } from "@yagate/execution-machine/execution-config";
import type { CapabilityVersion } from "@yagate/protocol";
import type { Tool, Toolset } from "../port.ts";

/** Returns the tool that runs a call, also one that reads artifacts; undefined if the agent no longer has it. */
export function toolOfCall(
  { tools, withArtifacts, routed }: Pick<Toolset, "tools" | "withArtifacts" | "routed">,
  call: { readonly name: string; readonly capability?: CapabilityVersion | undefined },
): Tool | undefined {
  if (call.capability !== undefined) return routed?.tools.get(toolKey(call));
  return tools.get(call.name) ?? withArtifacts.tools.get(call.name);
}
