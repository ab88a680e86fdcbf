import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReceivedEvent } from "@yagate/protocol";
import { useId } from "react";
import { getToolCall } from "../../api/tool-calls.ts";
import { ErrorBlock, Facts, Notice, Skeleton } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { formatCost, formatCount, formatDuration, NONE } from "../../parts/numbers.ts";
import { callStatus, Status } from "../../parts/status.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { AttemptDetail } from "./attempt-detail.tsx";
import { RouteDetail } from "./route-detail.tsx";
import css from "./timeline.module.css";
import type { TimelineRow } from "./timeline.ts";

interface RowPanelProps {
  readonly row: TimelineRow;
  readonly events: readonly ReceivedEvent[];
  onClose(): void;
}

function titleOf(row: TimelineRow): string {
  switch (row.type) {
    case "turn":
      return `Turn ${row.turn}`;
    case "call":
      return row.name;
    case "attempt":
      return `Attempt ${row.number}`;
    case "wait":
      return row.text;
    case "note":
      return row.code ?? row.text;
  }
}

/** Everything about the selected row. */
export function RowPanel({ row, events, onClose }: RowPanelProps) {
  const titleId = useId();
  return (
    <section className={css["panel"]} id="row-panel" aria-labelledby={titleId} tabIndex={0}>
      <div className={css["panelHead"]}>
        <h2 id={titleId}>{titleOf(row)}</h2>
        <Button look="quiet" isSmall isIcon aria-label="Close the panel" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <PanelBody row={row} events={events} />
    </section>
  );
}

function PanelBody({ row, events }: Omit<RowPanelProps, "onClose">) {
  if (row.type === "attempt") return <AttemptDetail id={row.attemptId} />;
  if (row.type === "call") return <CallSummary id={row.toolCallId} />;
  if (row.type === "turn") return <TurnDetail turn={row.turn} events={events} />;
  if (row.type === "note" && row.routeSeq !== undefined) return <RouteDetail seq={row.routeSeq} events={events} />;
  return (
    <div className={css["part"]}>
      <p>{row.text}</p>
      <Facts
        rows={[
          ["From", <Clock key="from" at={new Date(row.from).toISOString()} isAlone />],
          ["Took", row.to === undefined ? NONE : formatDuration(row.to - row.from)],
        ]}
      />
      {row.type === "wait" && row.approvalId !== undefined && (
        <p>
          <Link to="/approvals" search={{ open: row.approvalId }}>
            Review the request
          </Link>
        </p>
      )}
    </div>
  );
}

function CallSummary({ id }: { readonly id: string }) {
  const call = useQuery({ queryKey: ["tool-call", id], queryFn: ({ signal }) => getToolCall(id, signal) });
  if (call.isError) {
    return (
      <div className={css["part"]}>
        <ErrorBlock error={call.error} onRetry={() => call.refetch()} />
      </div>
    );
  }
  if (call.isPending) return <Skeleton label="the tool call" lines={4} />;
  const { status, parameters, result, error, risk, policyDecision, isUntrusted, cost, attempts } = call.data;
  const { kind, word } = callStatus(status);
  return (
    <>
      <div className={css["part"]}>
        <Facts
          rows={[
            [
              "Status",
              <Status key="status" kind={kind}>
                {word}
              </Status>,
            ],
            ["Attempts", formatCount(attempts.length)],
            ["Risk", risk ?? NONE],
            ["Policy", policyDecision === null ? NONE : `${policyDecision.decision}: ${policyDecision.reason}`],
            ["Cost", cost.usd === 0 ? NONE : formatCost(cost.usd)],
          ]}
        />
        {isUntrusted === true && (
          <Notice icon="untrusted" look="untrusted">
            The result is external data. Writes after it need an approval.
          </Notice>
        )}
        <p>
          <Link to="/tool-calls/$id" params={{ id }}>
            Open the tool call
          </Link>{" "}
          <CopyButton text={id} label="Copy id" isIcon />
        </p>
      </div>
      <section className={css["part"]}>
        <h3>Arguments</h3>
        <JsonBlock label="Arguments" value={parameters} />
      </section>
      {error !== undefined && (
        <section className={css["part"]}>
          <h3>Error</h3>
          <JsonBlock label="Error" value={error} />
        </section>
      )}
      {result !== undefined && (
        <section className={css["part"]}>
          <h3>Result</h3>
          <JsonBlock label="Result" value={result} />
        </section>
      )}
    </>
  );
}

function TurnDetail({ turn, events }: { readonly turn: number; readonly events: readonly ReceivedEvent[] }) {
  const reply = events.find((event) => event.type === "model.responded" && event.turn === turn);
  if (reply?.type !== "model.responded") {
    return (
      <div className={css["part"]}>
        <p>The model has not replied yet.</p>
      </div>
    );
  }
  const { text, usage, cost, finishReason, toolCalls } = reply;
  return (
    <>
      <div className={css["part"]}>
        <Facts
          rows={[
            ["Input tokens", formatCount(usage.inputTokens)],
            ["Output tokens", formatCount(usage.outputTokens)],
            ["Cost", formatCost(cost.usd)],
            ["Ended with", finishReason],
            ["Tool calls", formatCount(toolCalls.length)],
          ]}
        />
      </div>
      {text !== "" && (
        <section className={css["part"]}>
          <h3>Text</h3>
          <p>
            <VisibleText text={text} />
          </p>
        </section>
      )}
    </>
  );
}
