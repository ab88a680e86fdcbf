import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReceivedEvent } from "@yagate/protocol";
import { useEffect, useState } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { download } from "../../api/download.ts";
import { getExecution } from "../../api/execution.ts";
import { inputOf, isOpen } from "../../api/executions.ts";
import { useExecutionEvents } from "../../live/execution-events.ts";
import { EmptyBlock, ErrorBlock, LiveMark, Notice, Skeleton } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { CopyMenu } from "../../parts/copy-menu.tsx";
import { Icon } from "../../parts/icon.tsx";
import { formatCount, shortId } from "../../parts/numbers.ts";
import { executionStatus, Status, Tag } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { toLine, VisibleText } from "../../parts/visible-text.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { CancelDialog } from "../executions/cancel-dialog.tsx";
import { durationOf } from "../executions/executions-table.tsx";
import { ConversationTab } from "./conversation-tab.tsx";
import { EventsTab } from "./events-tab.tsx";
import css from "./execution.module.css";
import { LimitMeters } from "./limit-meters.tsx";
import { ReceiptTab } from "./receipt-tab.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { type RowFilter, TimelineTab } from "./timeline-tab.tsx";
import { UsageTab } from "./usage-tab.tsx";

const TABS = ["timeline", "conversation", "events", "usage", "receipt"] as const;
type Tab = (typeof TABS)[number];

const CRUMB = { path: "/executions", name: "Executions" };
const TITLE_CHARACTERS = 300;

/** One execution: what it did, attempt by attempt. */
export function ExecutionPage() {
  const { id } = useParams({ from: "/executions/$id" });
  const search = useSearch({ from: "/executions/$id" });
  const navigate = useNavigate({ from: "/executions/$id" });
  const [attempt, setAttempt] = useState(0);
  const execution = useQuery({ queryKey: ["execution", id], queryFn: ({ signal }) => getExecution(id, signal) });
  const followed = useExecutionEvents(id, attempt);
  const { events, hasEnded } = followed;
  const agents = useQuery(agentsQuery);
  const [open, setOpen] = useState<"cancel" | "replay">();
  const { refetch } = execution;
  // The summary follows what changes it: replies of the model, the outcome of calls, waits and the end.
  const summarised = events.findLast(({ type }) => /^(model\.responded|tool_call\.|execution\.)/.test(type))?.seq;
  useEffect(() => {
    if (summarised !== undefined) void refetch();
  }, [summarised, refetch]);
  const retry = () => {
    setAttempt(attempt + 1);
    void refetch();
  };
  if (execution.isError && execution.data === undefined) {
    return (
      <>
        <PageHead title="Execution" crumb={CRUMB} />
        <ErrorBlock error={execution.error} onRetry={retry} />
      </>
    );
  }
  if (execution.data === undefined) {
    return (
      <>
        <PageHead title="Execution" crumb={CRUMB} />
        <Skeleton label="the execution" lines={10} />
      </>
    );
  }
  const {
    status,
    stopReason,
    agentId,
    agentVersion,
    createdAt,
    error,
    mode,
    replayOf,
    copiedTurns = 0,
  } = execution.data;
  const { kind, word } = executionStatus(status, stopReason);
  const agent = agents.data?.find((each) => each.id === agentId)?.name ?? shortId(agentId);
  const input = inputOf(execution.data);
  const tab = TABS.find((name) => name === search["tab"]) ?? "timeline";
  const filter: RowFilter = search["show"] === "failed" || search["show"] === "slow" ? search["show"] : "all";
  const now = Date.parse(events.at(-1)?.at ?? createdAt);
  return (
    <>
      <PageHead
        title={toLine(input, TITLE_CHARACTERS)}
        crumb={CRUMB}
        meta={
          <>
            <Status kind={kind}>{word}</Status>
            <Link to="/executions" search={{ agent: agentId }}>
              {toLine(agent, 60)}@{agentVersion}
            </Link>
            <span className={text["idGroup"]}>
              <span className={text["id"]}>{shortId(id)}</span>
              <CopyButton text={id} label="Copy id" isIcon />
            </span>
            <Clock at={createdAt} isAlone />
            {mode === "recorded" && <Tag>Recorded: nothing was sent</Tag>}
            {replayOf !== undefined && (
              <Link to="/executions/$id" params={{ id: replayOf }}>
                Replay of {shortId(replayOf)}
              </Link>
            )}
            {!hasEnded && <LiveMark state={followed.state} />}
          </>
        }
        actions={
          <>
            {isOpen(execution.data) ? (
              <Button onClick={() => setOpen("cancel")}>Cancel…</Button>
            ) : (
              <Button onClick={() => setOpen("replay")}>
                <Icon name="retry" />
                Replay…
              </Button>
            )}
            <CopyMenu
              id={id}
              value={execution.data}
              command={`yagate executions show ${id}`}
              path={`v1/executions/${id}`}
            >
              <Button
                onClick={() =>
                  download(
                    `${id}.json`,
                    "application/json",
                    JSON.stringify({ execution: execution.data, events }, null, 2),
                  )
                }
              >
                <Icon name="download" />
                Download
              </Button>
            </CopyMenu>
          </>
        }
      >
        <VisibleText text={input.replaceAll(/\s+/g, " ").slice(0, TITLE_CHARACTERS * 2)} most={TITLE_CHARACTERS} />
      </PageHead>
      {error !== null && (
        <Notice icon="failed">
          <code>{error.code}</code> <VisibleText text={error.message} />
        </Notice>
      )}
      <WaitingFor events={events} />
      {replayOf !== undefined && copiedTurns > 0 && (
        <Notice icon="copy">
          {copiedTurns === 1 ? "Turn 1 is" : `Turns 1 to ${copiedTurns} are`} copied from{" "}
          <Link to="/executions/$id" params={{ id: replayOf }} className={text["mono"]}>
            {shortId(replayOf)}
          </Link>
          : nothing was asked or sent in {copiedTurns === 1 ? "it" : "them"}.
        </Notice>
      )}
      {followed.isLoaded && (
        <LimitMeters execution={execution.data} events={events} tookMs={durationOf(execution.data, now) ?? 0} />
      )}
      <nav className={css["tabs"]} aria-label="Views of the execution">
        {TABS.map((name) => (
          <Link
            key={name}
            from="/executions/$id"
            to="."
            search={{ tab: name === "timeline" ? undefined : name }}
            activeOptions={{ exact: true }}
            aria-current={name === tab ? "page" : undefined}
          >
            {name.charAt(0).toUpperCase() + name.slice(1)}
            {name === "events" && events.length > 0 && (
              <span className={text["quiet"]}>{formatCount(events.length)}</span>
            )}
          </Link>
        ))}
      </nav>
      {followed.error !== undefined ? (
        <ErrorBlock error={followed.error} onRetry={retry} />
      ) : !followed.isLoaded ? (
        <Skeleton label="the events" lines={10} />
      ) : (
        <div data-state="ready">
          <TabBody
            tab={tab}
            execution={execution.data}
            followed={followed}
            filter={filter}
            row={search["row"]}
            zoom={search["zoom"]}
            copiedTurns={copiedTurns}
            onChange={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
          />
        </div>
      )}
      {open === "cancel" && <CancelDialog id={id} onClose={() => setOpen(undefined)} />}
      {open === "replay" && <ReplayDialog id={id} turns={lastTurn(events)} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function lastTurn(events: readonly ReceivedEvent[]): number {
  return events.reduce((turn, event) => (event.type === "model.requested" ? Math.max(turn, event.turn) : turn), 1);
}

/** The approvals that the execution waits for, with the way to decide them. */
function WaitingFor({ events }: { readonly events: readonly ReceivedEvent[] }) {
  const resolved = new Set(events.flatMap((event) => (event.type === "approval.resolved" ? [event.approvalId] : [])));
  const names = new Map(
    events.flatMap((event) => (event.type === "tool_call.requested" ? [[event.toolCallId, event.name] as const] : [])),
  );
  return events.map((event) => {
    if (event.type !== "approval.requested" || resolved.has(event.approvalId)) return null;
    return (
      <div key={event.approvalId} className={css["waits"]}>
        <Notice icon="waiting" look="waiting">
          <strong>{names.get(event.toolCallId) ?? "A call"}</strong> has been waiting for a person since{" "}
          <Clock at={event.at} isAlone />. It expires at <Clock at={event.expiresAt} isAlone />.{" "}
          <Link to="/approvals" search={{ open: event.approvalId }}>
            Review the request
          </Link>
        </Notice>
      </div>
    );
  });
}

interface TabBodyProps {
  readonly tab: Tab;
  readonly execution: Parameters<typeof UsageTab>[0]["execution"];
  readonly followed: ReturnType<typeof useExecutionEvents>;
  readonly filter: RowFilter;
  readonly row: string | undefined;
  readonly zoom: string | undefined;
  readonly copiedTurns: number;
  onChange: Parameters<typeof TimelineTab>[0]["onChange"];
}

function TabBody({ tab, execution, followed, filter, row, zoom, copiedTurns, onChange }: TabBodyProps) {
  const { events, draft, hasEnded } = followed;
  if (events.length === 0 && tab !== "receipt") {
    return <EmptyBlock title="Nothing has happened yet">The execution waits for a free slot.</EmptyBlock>;
  }
  switch (tab) {
    case "timeline":
      return (
        <TimelineTab
          events={events}
          hasEnded={hasEnded}
          filter={filter}
          selected={row}
          zoom={zoom}
          copiedTurns={copiedTurns}
          onChange={onChange}
        />
      );
    case "conversation":
      return <ConversationTab events={events} draft={draft} />;
    case "events":
      return <EventsTab events={events} />;
    case "usage":
      return <UsageTab execution={execution} events={events} />;
    case "receipt":
      return <ReceiptTab id={execution.id} />;
  }
}
