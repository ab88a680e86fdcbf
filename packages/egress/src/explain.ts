import { type AddressVerdict, createAddressPolicy } from "./address-policy.ts";
import { withoutUrl } from "./blocked.ts";
import { parseDestination } from "./destination.ts";
import { EgressError } from "./egress-error.ts";
import { completePolicy, type EgressPolicy } from "./policy.ts";
import { type ResolvedAddress, resolveHost } from "./resolver.ts";
import { createUrlPolicy } from "./url-policy.ts";

/**
 * One step of a decision: parsing the URL (`url`), checking its text (`policy`), resolving the name (`dns`), and
 * checking the addresses (`addresses`).
 */
export interface EgressStep {
  readonly step: "url" | "policy" | "dns" | "addresses";
  readonly passed: boolean;
  /** The outcome in words, for the operator. It may contain addresses. */
  readonly detail: string;
}

/** An address of the host, with the verdict on it. */
export interface JudgedAddress extends ResolvedAddress {
  readonly verdict: AddressVerdict;
  /** Describes the network that contains the address. */
  readonly why: string;
}

/** The decision of a guard, step by step, up to the first step that failed. */
export interface EgressExplanation {
  readonly allowed: boolean;
  readonly code?: "URL_BLOCKED" | "DNS_BLOCKED";
  /** The message that a model would read if one of its tools sent a request to the URL. */
  readonly message?: string;
  /**
   * The message that a model would read if a handler were at the URL. The model did not write the URL, so the message
   * does not contain it.
   */
  readonly handlerMessage?: string;
  /** The parts of the normalised URL; undefined if the text is not a valid URL for requests. */
  readonly url?: { readonly protocol: string; readonly hostname: string; readonly port: number; readonly path: string };
  readonly steps: readonly EgressStep[];
  /** The addresses of the host; empty before the step `addresses`. */
  readonly addresses: readonly JudgedAddress[];
}

/**
 * Explains to an operator how a guard with this policy would currently decide on a URL. It resolves the name but opens
 * no connection. The decision is the same as that of `check`. The details must not reach a model or a caller of the
 * API.
 *
 * @throws YagateError `INVALID_REQUEST` if the policy is invalid.
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
    pass("the scheme, the port and the host are allowed", "dns");
    const resolved = await resolveHost(hostname, complete.lookup, complete.limits.dnsTimeoutMs);
    addresses = resolved.map(({ address, family }) => {
      return { address, family, verdict: addressPolicy.judge(address), why: addressPolicy.explain(address) };
    });
    const isLiteral = resolved.length === 1 && resolved[0]?.address === hostname;
    pass(isLiteral ? "the host is an address" : `addresses of the name: ${resolved.length}`, "addresses");
    urlPolicy.admit(destination, resolved);
    pass("all addresses are allowed", "addresses");
    return { allowed: true, url, steps, addresses };
  } catch (error) {
    if (!(error instanceof EgressError) || (error.code !== "URL_BLOCKED" && error.code !== "DNS_BLOCKED")) throw error;
    steps.push({ step, passed: false, detail: error.reason });
    const known = url === undefined ? {} : { url };
    const told = { message: error.message, handlerMessage: withoutUrl(error) };
    return { allowed: false, code: error.code, ...told, ...known, steps, addresses };
  }
}
