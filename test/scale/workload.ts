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

/** What one replica is told to do. */
export interface Task {
  readonly config: Pick<CompleteConfig, "databaseUrl" | "dataDir" | "masterKeys" | "signingSecret" | "allowCidrs">;
  readonly webhookUrl: string;
  readonly pace: Pace;
}

/** Executions a second, evenly spread (0: none); or so many, some at a time, after others that warm the process up. */
export type Pace =
  | { readonly perSecond: number; readonly seconds: number }
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
  /** From the start of an execution to its end, sorted. */
  readonly latenciesMs: readonly number[];
}
