import { useQuery } from "@tanstack/react-query";
import type { Agent, ToolCallSummary } from "@yagate/protocol";
import { listExecutions } from "../../api/executions.ts";
import { listOf } from "../../api/pages.ts";
import { useLive } from "../../live/live.ts";
import { ErrorBlock, LiveMark, Skeleton } from "../../parts/blocks.tsx";
import { sessionQuery } from "../../session/session.ts";
import { PageHead } from "../../shell/page-head.tsx";
import { FirstRun } from "./first-run.tsx";
import css from "./home.module.css";
import { Today } from "./today.tsx";

const today = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const PACE_MS = 2_000;

/** Reads what tells whether the first execution has finished, and what is missing before. */
async function readProgress(signal: AbortSignal) {
  const completed = await listExecutions({ filter: { status: "completed" }, limit: 1 }, signal);
  if (completed.data.length > 0) return { isFirstRun: false } as const;
  const [agents, calls, executions] = await Promise.all([
    listOf<Agent>("v1/agents", { limit: 1 }, signal),
    listOf<ToolCallSummary>("v1/tool-calls", { limit: 1, status: "completed" }, signal),
    listExecutions({ filter: {}, limit: 1 }, signal),
  ]);
  return {
    isFirstRun: true,
    agent: agents[0],
    hasAnsweredCall: calls.length > 0,
    latest: executions.data[0],
  } as const;
}

/** Before the first execution has finished: what is left to do. Then: what needs someone. */
export function HomePage() {
  const { data: session } = useQuery(sessionQuery);
  const progress = useQuery({ queryKey: ["home", "progress"], queryFn: ({ signal }) => readProgress(signal) });
  const live = useLive(() => {
    if (progress.data?.isFirstRun !== false) void progress.refetch();
  }, PACE_MS);
  const isFirstRun = progress.data?.isFirstRun === true;
  return (
    <div className={isFirstRun ? css["narrow"] : undefined}>
      <PageHead
        title={isFirstRun ? "Four steps to a completed execution" : "Today"}
        meta={
          <>
            <LiveMark state={live} />
            <span>{isFirstRun ? "Each step is ticked off automatically" : today.format(new Date())}</span>
          </>
        }
      />
      {progress.isError && progress.data === undefined ? (
        <ErrorBlock error={progress.error} onRetry={() => progress.refetch()} />
      ) : progress.data === undefined || session === undefined ? (
        <Skeleton label="the start page" />
      ) : progress.data.isFirstRun ? (
        <FirstRun session={session} {...progress.data} />
      ) : (
        <Today session={session} />
      )}
    </div>
  );
}
