import { configFromEnvironment, createWorkspaceNetworks } from "@yagate/gateway";
import { createOwnPlaces, type EgressPolicy, explainEgress } from "@yagate/gateway/egress";
import { workspaceIdSchema, YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { printDecision } from "./print-decision.ts";

/** Its id differs from store to store, and none is opened here. */
const DEFAULT_WORKSPACE = "default";

/**
 * Says what a gateway of this environment would do with a URL; ends with status 1 when it would block it.
 *
 * @throws YagateError `INVALID_REQUEST` for settings or domains that are not valid.
 */
export async function checkEgress(
  invocation: Invocation,
  url: string,
  {
    allowDomain,
    workspace = DEFAULT_WORKSPACE,
  }: { readonly allowDomain?: readonly string[]; readonly workspace?: string },
): Promise<void> {
  if (workspace !== DEFAULT_WORKSPACE && !workspaceIdSchema.safeParse(workspace).success) {
    throw new YagateError("INVALID_REQUEST", "expected --workspace to be default, or an id that begins with ws_");
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
    ...(allowDomain === undefined ? {} : { allowedDomains: allowDomain }),
  };
  const decision = await explainEgress(policy, url);
  if (!decision.allowed) process.exitCode = EXIT.answerIsNo;
  const settings = { allowCidrs, denyCidrs, allowPorts, allowedDomains: allowDomain ?? null, workspace };
  invocation.output.result({ ...decision, policy: settings }, () => printDecision(decision, settings));
}
