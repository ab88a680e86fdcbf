import type { AddressVerdict, EgressExplanation, EgressStep } from "@yagate/gateway/egress";
import { toVisibleLine } from "@yagate/protocol";
import { commandName } from "../command-name.ts";

/** The configured parts of the policy. */
export interface EgressSettings {
  readonly allowCidrs: readonly string[];
  readonly denyCidrs: readonly string[];
  readonly allowPorts: readonly number[];
  /** Null if every host is allowed. */
  readonly allowedDomains: readonly string[] | null;
  /** `default`, or the id of another workspace. */
  readonly workspace: string;
}

const LABEL_WIDTH = 14;
const VERDICTS: Readonly<Record<AddressVerdict, string>> = {
  allowed: "allowlisted by the operator",
  public: "public",
  refused: "blocked",
};

/** Formats the decision for people. */
export function printDecision(decision: EgressExplanation, settings: EgressSettings): string {
  const { allowed, code, message = "", handlerMessage = message, steps } = decision;
  const rows = steps.flatMap((step) => [
    ...(step.step === "addresses" ? addressRows(decision) : []),
    row(step.step, `${step.passed ? "ok" : "failed"}: ${toVisibleLine(step.detail)}`),
    ...(step.step === "url" ? policyRows(settings) : []),
  ]);
  if (allowed) return ["allowed", "", ...rows].join("\n");
  const ofHandler = handlerMessage === message ? [] : [row("of a handler", toVisibleLine(handlerMessage))];
  const told = ["", row("model reads", toVisibleLine(message)), ...ofHandler];
  return [`blocked: ${code}`, "", ...rows, ...told, ...adviceOn(decision, settings)].join("\n");
}

const LOOPBACK_HOST = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Adds advice about loopback: users who check their own machine usually mean the gateway of `yagate dev`. */
function adviceOn({ url, addresses }: EgressExplanation, { allowCidrs, workspace }: EgressSettings): readonly string[] {
  if (allowCidrs.length > 0 || url === undefined) return [];
  const isLoopback = [url.hostname, ...addresses.map(({ address }) => address)].some((host) =>
    LOOPBACK_HOST.test(host),
  );
  if (isLoopback && workspace === "default") {
    return [
      "",
      `${commandName()} dev allowlists loopback; YAGATE_ALLOW_CIDRS=127.0.0.0/8,::1/128 makes this check do the same.`,
    ];
  }
  if (!isLoopback && !addresses.some(({ verdict, why }) => verdict === "refused" && PRIVATE.test(why))) return [];
  const variable = workspace === "default" ? "YAGATE_ALLOW_CIDRS" : "YAGATE_WORKSPACE_CIDRS";
  return ["", `${variable} allowlists your own networks for hosts that an author or operator configured.`];
}

/** Matches names in the registry of special-purpose addresses. */
const PRIVATE = /, (?:Private-Use|Shared Address Space|Unique-Local)$/;

function policyRows({
  allowCidrs,
  denyCidrs,
  allowPorts,
  allowedDomains,
  workspace,
}: EgressSettings): readonly string[] {
  const denied = denyCidrs.length === 0 ? "" : `; denied: ${denyCidrs.join(", ")}`;
  return [
    ...(workspace === "default" ? [] : [row("workspace", workspace)]),
    row("domains", allowedDomains === null ? "any" : allowedDomains.join(", ")),
    row("ports", `${allowPorts.join(", ")} (https)`),
    row(
      "networks",
      `${allowCidrs.length === 0 ? "none allowlisted" : `allowlisted: ${allowCidrs.join(", ")}`}${denied}`,
    ),
  ];
}

function addressRows({ addresses }: EgressExplanation): readonly string[] {
  return addresses.map(({ address, verdict, why }) =>
    row("address", toVisibleLine(`${address}: ${VERDICTS[verdict]}${why === verdict ? "" : `, ${why}`}`)),
  );
}

function row(
  label:
    | EgressStep["step"]
    | "workspace"
    | "domains"
    | "ports"
    | "networks"
    | "address"
    | "model reads"
    | "of a handler",
  text: string,
): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${text}`;
}
