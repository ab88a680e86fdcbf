import { configFromEnvironment, createWorkspaceNetworks } from "@yagate/gateway";
import { createOwnPlaces, type EgressPolicy, explainEgress } from "@yagate/gateway/egress";
import { defined } from "@yagate/lib/objects/defined";
import { workspaceIdSchema, YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { printDecision } from "./print-decision.ts";

/** The id of this workspace differs between stores, and this command opens no store. */
const DEFAULT_WORKSPACE = "default";

/** Prints how a gateway with this environment would treat a URL. The exit status is 1 if the gateway would block it. */
export async function checkEgress(
  invocation: Invocation,
  url: string,
  {
    allowDomain,
    workspace = DEFAULT_WORKSPACE,
  }: { readonly allowDomain?: readonly string[]; readonly workspace?: string },
): Promise<void> {
  if (workspace !== DEFAULT_WORKSPACE && !workspaceIdSchema.safeParse(workspace).success) {
    throw new YagateError("INVALID_REQUEST", "expected --workspace to be default, or an id that starts with ws_");
  }
  const config = configFromEnvironment(process.env);
  const { denyCidrs, allowPorts, host, port, publicUrl } = config;
  const allowCidrs = createWorkspaceNetworks(config, DEFAULT_WORKSPACE)(workspace);
  const ownPlaces = createOwnPlaces({ publicUrl });
  if (port !== 0) ownPlaces.add(host, port);
  const policy: EgressPolicy = {
    allowCidrs,
    denyCidrs,
    ownPlaces,
    ports: allowPorts,
    ...defined({ allowedDomains: allowDomain }),
  };
  const decision = await explainEgress(policy, url);
  if (!decision.allowed) process.exitCode = EXIT.answerIsNo;
  const settings = { allowCidrs, denyCidrs, allowPorts, allowedDomains: allowDomain ?? null, workspace };
  invocation.output.result({ ...decision, policy: settings }, () => printDecision(decision, settings));
}
