import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { hasFinished } from "../../api/call-states.ts";
import { getToolCall } from "../../api/tool-calls.ts";
import { useLive } from "../../live/live.ts";
import { EmptyBlock, ErrorBlock, Facts, LiveMark, Notice, Skeleton } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { CopyMenu } from "../../parts/copy-menu.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { formatCost, formatDuration, NONE, shortId } from "../../parts/numbers.ts";
import { callStatus, Status, UntrustedTag } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { toLine, VisibleText } from "../../parts/visible-text.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { AttemptDetail } from "../execution/attempt-detail.tsx";
import { brief } from "../execution/row-text.tsx";
import { mayBeRedelivered, RedeliverDialog } from "./redeliver-dialog.tsx";
import css from "./tool-call.module.css";

const TITLE_CHARACTERS = 200;
const CRUMB = { path: "/tool-calls", name: "Tool calls" };

/** One tool call: what was asked, what was sent in each attempt, and what the model read. */
export function ToolCallPage() {
  const { id } = useParams({ from: "/tool-calls/$id" });
  const { attempt: chosen } = useSearch({ from: "/tool-calls/$id" });
  const navigate = useNavigate({ from: "/tool-calls/$id" });
  const call = useQuery({ queryKey: ["tool-call", id], queryFn: ({ signal }) => getToolCall(id, signal) });
  // An ended call gets attempts, too: redeliveries.
  const live = useLive((ids) => {
    if (call.data === undefined || !hasFinished(call.data.status) || ids.has(id)) void call.refetch();
  });
  const [isRedelivering, setRedelivering] = useState(false);
  if (call.isError) {
    return (
      <>
        <PageHead title="Tool call" crumb={CRUMB} />
        <ErrorBlock error={call.error} onRetry={() => call.refetch()} />
      </>
    );
  }
  if (call.isPending) {
    return (
      <>
        <PageHead title="Tool call" crumb={CRUMB} />
        <Skeleton label="the tool call" lines={10} />
      </>
    );
  }
  const { name, parameters, status, executionId, turn, requestedAt, attempts, isUntrusted } = call.data;
  const { kind, word } = callStatus(status);
  const sentence = `${name}(${brief(parameters)})`;
  const all = [...attempts, ...(call.data.redeliveries ?? [])];
  const shown = all.find((attempt) => attempt.id === chosen) ?? attempts.at(-1);
  return (
    <>
      <PageHead
        title={toLine(sentence, TITLE_CHARACTERS)}
        crumb={{ path: `/executions/${executionId}`, name: `Execution ${shortId(executionId)}` }}
        meta={
          <>
            <Status kind={kind}>{word}</Status>
            <span>Turn {turn}</span>
            <span className={text["idGroup"]}>
              <span className={text["id"]}>{shortId(id)}</span>
              <CopyButton text={id} label="Copy id" isIcon />
            </span>
            <Clock at={requestedAt} isAlone />
            {isUntrusted === true && <UntrustedTag />}
            {!hasFinished(status) && <LiveMark state={live} />}
          </>
        }
        actions={
          <>
            {mayBeRedelivered(call.data) && <Button onClick={() => setRedelivering(true)}>Redeliver…</Button>}
            <CopyMenu id={id} value={call.data} command={`yagate calls show ${id}`} path={`v1/tool-calls/${id}`} />
          </>
        }
      >
        <span className={text["mono"]}>
          <VisibleText text={sentence} most={TITLE_CHARACTERS} />
        </span>
      </PageHead>
      <div className={css["columns"]} data-state="ready">
        <CallFacts call={call.data} />
        <section className={css["attempts"]} aria-label="Attempts">
          <h2>Attempts</h2>
          {shown === undefined ? (
            <EmptyBlock title="Nothing was sent">
              {status === "waiting_approval"
                ? "The call is waiting for an approval; nothing is sent until then."
                : "The call ended before its first attempt, or runs inside the gateway."}
            </EmptyBlock>
          ) : (
            <>
              <div className={controls["segments"]} role="group" aria-label="Attempt">
                {all.map((attempt) => (
                  <button
                    key={attempt.id}
                    type="button"
                    aria-pressed={attempt.id === shown.id}
                    onClick={() => navigate({ search: { attempt: attempt.id }, replace: true })}
                  >
                    {attempt.kind === "redelivery" ? "Redelivery" : attempt.number}:{" "}
                    {attempt.errorCode ?? attempt.httpStatus ?? "in flight"}
                  </button>
                ))}
              </div>
              <div className={css["attempt"]}>
                <AttemptDetail key={shown.id} id={shown.id} />
              </div>
            </>
          )}
        </section>
      </div>
      {isRedelivering && <RedeliverDialog call={call.data} onClose={() => setRedelivering(false)} />}
    </>
  );
}

type CallRecord = Awaited<ReturnType<typeof getToolCall>>;

function CallFacts({ call }: { readonly call: CallRecord }) {
  const { parameters, result, error, risk, policyDecision, approval, cost, kind, via, requestedAt, finishedAt } = call;
  const tookMs = finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(requestedAt);
  return (
    <section className={css["facts"]} aria-label="The call">
      <Facts
        rows={[
          ["Tool", kind ?? "The agent has no such tool"],
          ...routeRows(call),
          ["Risk", risk ?? NONE],
          ["Policy", policyDecision === null ? NONE : `${policyDecision.decision}: ${policyDecision.reason}`],
          ["Approval", approval === undefined ? "Not needed" : <ApprovalLink key="link" approval={approval} />],
          ["Result from", via ?? (result === undefined ? NONE : "the gateway")],
          ["Cost", cost.usd === 0 && cost.credits === 0 ? NONE : formatCost(cost.usd)],
          ["Took", tookMs === undefined ? NONE : formatDuration(tookMs)],
        ]}
      />
      {call.blocked === true && (
        <Notice icon="denied">The gateway sent nothing: {call.blockReason ?? "the policy denied it"}.</Notice>
      )}
      {call.isUntrusted === true && (
        <Notice icon="untrusted" look="untrusted">
          The result is external data. Writes after it need an approval.
        </Notice>
      )}
      <h2>Arguments</h2>
      <JsonBlock label="Arguments" value={parameters} />
      {error !== undefined && (
        <>
          <h2>Error</h2>
          <JsonBlock label="Error" value={error} />
        </>
      )}
      {result !== undefined && (
        <>
          <h2>Result</h2>
          <JsonBlock label="Result" value={result} />
        </>
      )}
    </section>
  );
}

/** Which capability served the call of an intent's tool, and where the decision is. */
function routeRows({ capability, triedCapabilities = [], executionId, id }: CallRecord) {
  if (capability === undefined) return [];
  return [
    ["Served by", <code key="capability">{capability.key}</code>],
    ...(triedCapabilities.length === 0
      ? []
      : ([["Tried before", <code key="tried">{triedCapabilities.join(", ")}</code>]] as const)),
    [
      "Why",
      <Link key="why" to="/executions/$id" params={{ id: executionId }} search={{ row: id }}>
        Decision in the timeline
      </Link>,
    ],
  ] as const;
}

function ApprovalLink({
  approval: { id, status },
}: {
  readonly approval: { readonly id: string; readonly status: string };
}) {
  return (
    <Link to="/approvals" search={{ open: id }}>
      {status}
    </Link>
  );
}
