import type { Failure } from "@yagate/execution-machine/call-outcome";
import { defined } from "@yagate/lib/objects/defined";
import type { ApprovalRow, ApprovalStore, ToolSourceStore, Withdrawal } from "@yagate/store/port";

/** Time in ms after a withdrawal in which a call that was checked before it may still ask for an approval. */
const SETTLING_MS = 10_000;
const PAGE = 200;

export interface WithdrawnApprovalsOptions {
  readonly store: Pick<ToolSourceStore, "listWithdrawals" | "settleWithdrawal">;
  readonly approvals: Pick<ApprovalStore, "list">;
  /** Returns why the tool of a call that waits for an approval may no longer run; undefined if it may. */
  readonly withdrawalOf: (approval: ApprovalRow) => Promise<Failure | undefined>;
  /** Ends a call that waits for an approval. Does nothing if it no longer waits. */
  readonly withdraw: (approval: ApprovalRow, failure: Failure) => Promise<void>;
  readonly now: () => number;
}

/** Ends calls that wait for an approval although the definition of their tool was withdrawn. */
export interface WithdrawnApprovals {
  /** Looks through the pending approvals of every source with a recent withdrawal, whichever process made it. */
  look(): Promise<void>;
}

export function createWithdrawnApprovals(options: WithdrawnApprovalsOptions): WithdrawnApprovals {
  const { store, approvals, withdrawalOf, withdraw, now } = options;

  async function endCalls({ workspaceId, name }: Withdrawal): Promise<void> {
    let cursor: string | undefined;
    do {
      const query = { status: "pending", limit: PAGE, ...defined({ cursor }) } as const;
      const page = await approvals.list(workspaceId, query);
      // The names of a source's tools start with its own. Those of REST tools that follow an operation do not.
      const affected = page.data.filter(
        ({ details: { tool } }) => tool.kind === "network" || tool.name.startsWith(`${name}.`),
      );
      for (const approval of affected) await endIfWithdrawn(approval);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async function endIfWithdrawn(approval: ApprovalRow): Promise<void> {
    const failure = await withdrawalOf(approval);
    // A tool that its source no longer publishes may return before a person decides.
    if (failure?.code === "TOOL_HELD") await withdraw(approval, failure);
  }

  return {
    async look() {
      for (const withdrawal of await store.listWithdrawals()) {
        const isSettled = now() - withdrawal.withdrawnAt >= SETTLING_MS;
        await endCalls(withdrawal);
        if (isSettled) await store.settleWithdrawal(withdrawal);
      }
    },
  };
}
