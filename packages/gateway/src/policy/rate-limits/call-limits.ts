import type { CallLimits, Plan } from "@yagate/protocol";
import type { RateLimit, RateLimitStore } from "@yagate/store/port";
import { executionRefusal, type LimitRefusal, minuteRefusal } from "./limit-refusal.ts";

/** The limits on calls to an integration's hosts, under the workspace's plan. */
export interface LimitedIntegration {
  readonly name: string;
  readonly limits: { readonly [Limit in keyof CallLimits]?: CallLimits[Limit] | undefined };
}

/** A request that a network tool is about to send. */
export interface LimitedCall {
  readonly workspaceId: string;
  readonly executionId: string;
  /**
   * Number of this call in the sequence of the execution's calls to primitives, starting at 1. The same for all
   * attempts.
   */
  readonly ordinal: number;
  /** Whether the model composed the request. Only such requests count against the plan. */
  readonly isPrimitive: boolean;
  /** The host in the request's URL, without the port, in the format of integrations. */
  readonly host: string;
  /**
   * The integrations whose limits apply if they contain the host. If the model chose the host, the names of the agent's
   * integrations; if an author chose it, all integrations of the workspace.
   */
  readonly integrations: readonly string[] | "all";
}

/** The host of a request, and the integrations whose limits may apply. */
export type LimitedHost = Pick<LimitedCall, "workspaceId" | "host" | "integrations">;

export interface CallLimitsOptions {
  readonly store: RateLimitStore;
  readonly planOf: (workspaceId: string) => Promise<Plan>;
  /** Returns the integrations among those in `destination` that contain its host. */
  readonly integrationsOf: (destination: LimitedHost) => Promise<readonly LimitedIntegration[]>;
  readonly now: () => number;
}

/** Limits the requests of network tools by the workspace's plan and by the integrations that contain their hosts. */
export interface NetworkLimits {
  /**
   * Counts the call against all of its limits, or against none if one is used up. Call this once per attempt, before
   * any other check. Returns undefined if the request may be sent.
   *
   * @throws YagateError `UNAVAILABLE` if the store is unavailable.
   */
  admit(call: LimitedCall): Promise<LimitRefusal | undefined>;
  /** Returns the maximum size of a response body in bytes, after decompression. */
  responseBytes(destination: LimitedHost): Promise<number>;
  /** Returns the credits that a call with a credential costs. */
  creditsPerCall(workspaceId: string): Promise<number>;
}

const MINUTE_MS = 60_000;
/** Window of the limits per execution: 30 days. */
const EXECUTION_MS = 2_592_000_000;

interface CountedLimit {
  readonly rate: RateLimit;
  refuse(retryAfterMs: number): LimitRefusal;
}

function planLimits({ workspaceId, isPrimitive }: LimitedCall, plan: Plan): readonly CountedLimit[] {
  if (!isPrimitive) return [];
  const limit = plan.callsPerMinute;
  return [
    {
      rate: { key: `plan:${workspaceId}`, limit, windowMs: MINUTE_MS },
      refuse: (retryAfterMs) => minuteRefusal("the plan of this workspace", limit, retryAfterMs),
    },
  ];
}

function integrationLimits(call: LimitedCall, { name, limits }: LimitedIntegration): readonly CountedLimit[] {
  const { workspaceId, executionId } = call;
  const { callsPerMinute, callsPerExecution } = limits;
  const what = `the integration ${name}`;
  const counted: CountedLimit[] = [];
  if (callsPerMinute !== undefined) {
    counted.push({
      rate: { key: `integration:${workspaceId}:${name}`, limit: callsPerMinute, windowMs: MINUTE_MS },
      refuse: (retryAfterMs) => minuteRefusal(what, callsPerMinute, retryAfterMs),
    });
  }
  if (callsPerExecution !== undefined) {
    counted.push({
      rate: { key: `execution:${executionId}:${name}`, limit: callsPerExecution, windowMs: EXECUTION_MS },
      refuse: () => executionRefusal(what, callsPerExecution),
    });
  }
  return counted;
}

export function createCallLimits({ store, planOf, integrationsOf, now }: CallLimitsOptions): NetworkLimits {
  return {
    async admit(call) {
      const [plan, integrations] = await Promise.all([planOf(call.workspaceId), integrationsOf(call)]);
      if (call.isPrimitive && call.ordinal > plan.callsPerExecution) {
        return executionRefusal("the plan of this workspace", plan.callsPerExecution);
      }
      const counted = [
        ...planLimits(call, plan),
        ...integrations.flatMap((integration) => integrationLimits(call, integration)),
      ];
      if (counted.length === 0) return undefined;
      const taken = await store.takeCall({ limits: counted.map(({ rate }) => rate), now: now() });
      if (taken.allowed) return undefined;
      return counted.find(({ rate }) => rate.key === taken.key)?.refuse(taken.retryAfterMs);
    },
    async responseBytes(destination) {
      const plan = await planOf(destination.workspaceId);
      const integrations = await integrationsOf(destination);
      return integrations.reduce(
        (least, { limits }) => Math.min(least, limits.responseBytes ?? least),
        plan.responseBytes,
      );
    },
    creditsPerCall: async (workspaceId) => (await planOf(workspaceId)).creditsPerCall,
  };
}
