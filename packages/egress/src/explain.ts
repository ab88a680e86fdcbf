import { type AddressVerdict, createAddressPolicy } from "./address-policy.ts";
import { withoutUrl } from "./blocked.ts";
import { parseDestination } from "./destination.ts";
import { EgressError } from "./egress-error.ts";
import { completePolicy, type EgressPolicy } from "./policy.ts";
import { type ResolvedAddress, resolveHost } from "./resolver.ts";
import { createUrlPolicy } from "./url-policy.ts";

/** One step of a decision: the text of the URL, the policy on that text, the name's addresses, the policy on those. */
export interface EgressStep {
  readonly step: "url" | "policy" | "dns" | "addresses";
  readonly passed: boolean;
  /** In words, for the operator: it may name addresses. */
  readonly detail: string;
}

/** An address of the host, and what is made of it. */
export interface JudgedAddress extends ResolvedAddress {
  readonly verdict: AddressVerdict;
  /** Which network it lies in. */
  readonly why: string;
}

/** A guard's decision, step by step, up to the first one that was not passed. */
export interface EgressExplanation {
  readonly allowed: boolean;
  readonly code?: "URL_BLOCKED" | "DNS_BLOCKED";
  /** What a model reads in place of all this, of a request that a tool makes to the URL. */
  readonly message?: string;
  /** What it reads of a handler at the URL, which it has not written. */
  readonly handlerMessage?: string;
  /** The URL as it is decided on; undefined when its text can't be one that is sent to. */
  readonly url?: { readonly protocol: string; readonly hostname: string; readonly port: number; readonly path: string };
  readonly steps: readonly EgressStep[];
  /** Empty before the step `addresses`. */
  readonly addresses: readonly JudgedAddress[];
}

/**
 * Explains to an operator what a guard of this policy would do with a URL now. It resolves the name and connects to
 * nothing. Its outcome is that of `check`; it tells what neither a model nor a caller of the API may know.
 *
 * @throws YagateError `INVALID_REQUEST` for a policy that is none.
 */
export async function explainEgress(policy: EgressPolicy, text: string): Promise<EgressExplanation> {
  const complete = completePolicy(policy);
  const addressPolicy = createAddressPolicy(complete.allowCidrs, complete.denyCidrs);
  const urlPolicy = createUrlPolicy(complete, addressPolicy);
  const steps: EgressStep[] = [];
  let url: EgressExplanation["url"];
  let addresses: readonly JudgedAddress[] = [];
  let step: EgressStep["step"] = "url";
  const pass = (detail: string, next: EgressStep["step"]) => {
    steps.push({ step, passed: true, detail });
    step = next;
  };
  try {
    const destination = parseDestination(text, complete.limits.urlLength);
    const { protocol, hostname, port, path } = destination;
    url = { protocol, hostname, port, path };
    pass(`${protocol.slice(0, -1)}, host ${hostname}, port ${port}, path ${path}`, "policy");
    urlPolicy.judge(destination);
    pass("scheme, port and host may be asked for", "dns");
    const resolved = await resolveHost(hostname, complete.lookup, complete.limits.dnsTimeoutMs);
    addresses = resolved.map(({ address, family }) => {
      return { address, family, verdict: addressPolicy.judge(address), why: addressPolicy.explain(address) };
    });
    const isLiteral = resolved.length === 1 && resolved[0]?.address === hostname;
    pass(isLiteral ? "the host is an address" : `addresses of the name: ${resolved.length}`, "addresses");
    urlPolicy.admit(destination, resolved);
    pass("every one may be connected to", "addresses");
    return { allowed: true, url, steps, addresses };
  } catch (error) {
    if (!(error instanceof EgressError) || (error.code !== "URL_BLOCKED" && error.code !== "DNS_BLOCKED")) throw error;
    steps.push({ step, passed: false, detail: error.reason });
    const known = url === undefined ? {} : { url };
    const told = { message: error.message, handlerMessage: withoutUrl(error) };
    return { allowed: false, code: error.code, ...told, ...known, steps, addresses };
  }
}
