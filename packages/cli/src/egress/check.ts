import { configFromEnvironment } from "@yagate/gateway";
import { type EgressPolicy, explainEgress } from "@yagate/gateway/egress";
import { printDecision } from "./print-decision.ts";

/**
 * Says what a gateway of this environment would do with a URL; ends with status 1 when it would block it.
 *
 * @throws YagateError `INVALID_REQUEST` for settings or domains that are not valid.
 */
export async function checkEgress(
  url: string,
  { allowDomain, json }: { readonly allowDomain?: readonly string[]; readonly json?: true },
): Promise<void> {
  const { allowCidrs, denyCidrs, allowPorts } = configFromEnvironment(process.env);
  const policy: EgressPolicy = {
    allowCidrs,
    denyCidrs,
    ports: allowPorts,
    ...(allowDomain === undefined ? {} : { allowedDomains: allowDomain }),
  };
  const decision = await explainEgress(policy, url);
  if (!decision.allowed) process.exitCode = 1;
  const settings = { allowCidrs, denyCidrs, allowPorts, allowedDomains: allowDomain ?? null };
  console.log(json ? JSON.stringify({ ...decision, policy: settings }, null, 2) : printDecision(decision, settings));
}
