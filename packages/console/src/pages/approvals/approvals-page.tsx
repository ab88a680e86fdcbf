import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { getApproval, pendingApprovals, resolvedApprovals } from "../../api/approvals.ts";
import { pendingQuestions } from "../../api/input-requests.ts";
import { useLive } from "../../live/live.ts";
import { EmptyBlock, ErrorBlock, LiveMark, Notice, Skeleton } from "../../parts/blocks.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { formatCount } from "../../parts/numbers.ts";
import { sessionQuery } from "../../session/session.ts";
import { PageHead } from "../../shell/page-head.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import css from "./approvals.module.css";
import { QuestionCard } from "./question-card.tsx";

/** The requests that wait for a person, the oldest first; and what was decided. */
export function ApprovalsPage() {
  const { show, open } = useSearch({ from: "/approvals" });
  const navigate = useNavigate({ from: "/approvals" });
  const isDecided = show === "decided";
  const { data: session } = useQuery(sessionQuery);
  const list = useQuery({
    queryKey: ["approvals", isDecided ? "decided" : "pending"],
    queryFn: ({ signal }) => (isDecided ? resolvedApprovals(signal) : pendingApprovals(signal)),
  });
  const opened = useQuery({
    queryKey: ["approvals", "one", open],
    queryFn: ({ signal }) => getApproval(open ?? "", signal),
    enabled: open !== undefined,
  });
  const questions = useQuery({
    queryKey: ["questions"],
    queryFn: ({ signal }) => pendingQuestions(signal),
    enabled: !isDecided,
  });
  const live = useLive(() => {
    void list.refetch();
    if (!isDecided) void questions.refetch();
  });
  const mayDecide = session?.scopes.includes("approvals") === true;
  const rows = list.data ?? [];
  const asked = isDecided ? [] : (questions.data ?? []);
  const shown = opened.data === undefined ? rows : [opened.data, ...rows.filter(({ id }) => id !== open)];
  const tabs = [
    ["waiting", "Waiting", undefined],
    ["decided", "Decided", "decided"],
  ] as const;
  return (
    <>
      <PageHead
        title="Approvals"
        meta={
          <>
            <LiveMark state={live} />
            {list.isSuccess && !isDecided && <span>{formatCount(rows.length)} waiting</span>}
          </>
        }
        actions={
          <CopyButton text={`yagate approvals list${isDecided ? "" : " --status pending"}`} label="Copy as CLI" />
        }
      />
      <div className={css["tabs"]}>
        <div className={controls["segments"]} role="group" aria-label="Approvals">
          {tabs.map(([name, word, value]) => (
            <button
              key={name}
              type="button"
              aria-pressed={isDecided === (value === "decided")}
              onClick={() => navigate({ search: { show: value } })}
            >
              {word}
            </button>
          ))}
        </div>
      </div>
      {session?.allowsSelfApproval === false && !isDecided && rows.length > 0 && (
        <Notice icon="person">
          The key that started an execution may deny its calls, but not approve them. A person with another key that has
          the scope approvals decides.
        </Notice>
      )}
      {opened.isError && <ErrorBlock error={opened.error} onRetry={() => opened.refetch()} />}
      {questions.isError && <ErrorBlock error={questions.error} onRetry={() => questions.refetch()} />}
      {asked.length > 0 && (
        <div className={css["cards"]}>
          {asked.map((request) => (
            <QuestionCard key={request.toolCallId} request={request} mayAnswer={mayDecide} />
          ))}
        </div>
      )}
      {list.isError ? (
        <ErrorBlock error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton label="approvals" />
      ) : shown.length === 0 && asked.length > 0 ? null : shown.length === 0 ? (
        <EmptyBlock
          title={isDecided ? "No decisions yet" : "Nothing is waiting for a person"}
          command="yagate approvals list"
        >
          {isDecided
            ? "Decisions stay here with their reasons."
            : "Calls that need an approval appear here before they are sent."}
        </EmptyBlock>
      ) : (
        <div className={css["cards"]} data-state="ready">
          {shown.map((approval) => (
            <ApprovalCard key={approval.id} approval={approval} isOpen={approval.id === open} mayDecide={mayDecide} />
          ))}
        </div>
      )}
    </>
  );
}
