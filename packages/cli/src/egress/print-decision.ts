import type { AddressVerdict, EgressExplanation, EgressStep } from "@yagate/gateway/egress";

/** What of the policy somebody set. */
export interface EgressSettings {
  readonly allowCidrs: readonly string[];
  readonly denyCidrs: readonly string[];
  readonly allowPorts: readonly number[];
  /** Null: any. */
  readonly allowedDomains: readonly string[] | null;
}

const LABEL_WIDTH = 14;
const VERDICTS: Readonly<Record<AddressVerdict, string>> = {
  allowed: "opened by the operator",
  public: "public",
  refused: "refused",
};

/** The decision for people. */
export function printDecision(decision: EgressExplanation, settings: EgressSettings): string {
  const { allowed, code, message, steps } = decision;
  const rows = steps.flatMap((step) => [
    ...(step.step === "addresses" ? addressRows(decision) : []),
    row(step.step, `${step.passed ? "ok" : "no"}: ${printable(step.detail)}`),
    ...(step.step === "url" ? policyRows(settings) : []),
  ]);
  // Where nothing was learned from the network, a model may read what is above.
  const isTold = message === undefined || steps.at(-1)?.detail === message;
  const told = allowed || isTold ? [] : ["", row("model reads", printable(message))];
  return [allowed ? "allowed" : `blocked: ${code}`, "", ...rows, ...told].join("\n");
}

function policyRows({ allowCidrs, denyCidrs, allowPorts, allowedDomains }: EgressSettings): readonly string[] {
  const denied = denyCidrs.length === 0 ? "" : `; denied: ${denyCidrs.join(", ")}`;
  return [
    row("domains", allowedDomains === null ? "any" : allowedDomains.join(", ")),
    row("ports", `${allowPorts.join(", ")} of https`),
    row("networks", `${allowCidrs.length === 0 ? "none opened" : `opened: ${allowCidrs.join(", ")}`}${denied}`),
  ];
}

function addressRows({ addresses }: EgressExplanation): readonly string[] {
  return addresses.map(({ address, verdict, why }) =>
    row("address", `${address}: ${VERDICTS[verdict]}${why === verdict ? "" : `, ${why}`}`),
  );
}

function row(
  label: EgressStep["step"] | "domains" | "ports" | "networks" | "address" | "model reads",
  text: string,
): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${text}`;
}

/** What a URL or a name server brought along must not move the cursor of a terminal. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
