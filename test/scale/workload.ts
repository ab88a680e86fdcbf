import type { CompleteConfig } from "@yagate/gateway";

/** The execution that everything here is measured with: two scripted model turns, one signed call of a webhook. */
export const REQUEST = {
  input: "Where is order ORD-12345?",
  script: {
    turns: [
      { toolCalls: [{ name: "lookup_order", parameters: { orderId: "ORD-12345" } }] },
      { text: "It is shipped." },
    ],
  },
};

/** The work of one replica. */
export interface Task {
  readonly config: Pick<CompleteConfig, "databaseUrl" | "dataDir" | "masterKeys" | "signingSecret" | "allowCidrs">;
  readonly webhookUrl: string;
  readonly pace: Pace;
}

/**
 * Executions a second (0: none), evenly spread or at random moments; or so many, some at a time, after others that warm
 * the process up.
 */
export type Pace =
  | { readonly perSecond: number; readonly seconds: number; readonly isRandom?: boolean }
  | { readonly atOnce: number; readonly warmUp: number; readonly executions: number };

/** What one replica measured of itself. */
export interface Work {
  /** Those that warm up included. */
  readonly executions: number;
  /** Of its process for each execution, without its start and those that warm up. */
  readonly cpuMsEach: number;
  /** Of its process in all that time. */
  readonly cpuMs: number;
  /** How long that took, those that warm up included. */
  readonly seconds: number;
  /** Commits of its process that notified replicas, from its start to its end. */
  readonly notifications: number;
  /** From the start of an execution to its end, sorted. */
  readonly latenciesMs: readonly number[];
}
