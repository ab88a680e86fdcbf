import type { CallLimits, Plan } from "@yagate/protocol";
import type { RateLimit, RateLimitStore } from "@yagate/store/quotas/rate-limits";
import { executionRefusal, type LimitRefusal, minuteRefusal } from "./limit-refusal.ts";

/** What an integration says of calls to its hosts, in the plan of the workspace. */
export interface LimitedIntegration {
  readonly name: string;
  readonly limits: { readonly [Limit in keyof CallLimits]?: CallLimits[Limit] | undefined };
}

/** A request of a network tool that is about to be made. */
export interface LimitedCall {
  readonly workspaceId: string;
  readonly executionId: string;
  /** Which call of a primitive this is in its execution, 1 for the first; the same in all of its attempts. */
  readonly ordinal: number;
  /** Whether the model composed the request: only these count against the plan. */
  readonly isPrimitive: boolean;
  /** Where it goes, as a URL has it. */
  readonly host: string;
  /**
   * Names of the integrations that count if the host is theirs: those that the agent enables where the model wrote the
   * host; where an author did, all of the workspace.
   */
  readonly integrations: readonly string[] | "all";
}

/** Where a request goes, and which integrations may count for it. */
export type LimitedHost = Pick<LimitedCall, "workspaceId" | "host" | "integrations">;

export interface CallLimitsOptions {
  readonly store: RateLimitStore;
  readonly planOf: (workspaceId: string) => Promise<Plan>;
  /** Those among the names that the host belongs to. */
  readonly integrationsOf: (destination: LimitedHost) => Promise<readonly LimitedIntegration[]>;
  readonly now: () => number;
}

/** What bounds the requests of network tools: the workspace's plan, and the integrations that they go to. */
export interface NetworkLimits {
  /**
   * Takes the call from every limit that it counts for, or from none. To be asked once for each attempt, before anything
   * else of it is judged. Undefined: it may go.
   * @throws YagateError `UNAVAILABLE` when the store can't be asked.
   */
  admit(call: LimitedCall): Promise<LimitRefusal | undefined>;
  /** Largest body of an answer, after decompression. */
  responseBytes(destination: LimitedHost): Promise<number>;
  /** What a call costs that has left with a credential. */
  creditsPerCall(workspaceId: string): Promise<number>;
}

const MINUTE_MS = 60_000;
/** Longer than an execution goes on without its calls being forgotten: 30 days. */
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
