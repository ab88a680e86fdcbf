import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ToolCallSummary } from "@yagate/protocol";
import { listToolCalls } from "../../api/tool-calls.ts";
import { DERIVED_AFTER_MS, useLive } from "../../live/live.ts";
import { EmptyBlock, LiveMark } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { formatCount, formatDuration, NONE, shortId } from "../../parts/numbers.ts";
import { callStatus, Status } from "../../parts/status.tsx";
import table from "../../parts/table.module.css";
import text from "../../parts/text.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { useRowKeys } from "../../shell/row-keys.ts";

const STATUSES = ["running", "waiting_approval", "completed", "failed", "denied", "cancelled"];
const CRUMB = { path: "/executions", name: "Executions" };
const PACE_MS = 2_000;

/** The tool calls of all executions, newest first: what is behind a number of the start page. */
export function ToolCallsPage() {
  const { status, tool, code, cursor, row } = useSearch({ from: "/tool-calls" });
  const navigate = useNavigate({ from: "/tool-calls" });
  const filter = { status, tool, code, cursor };
  const list = useQuery({
    queryKey: ["tool-calls", filter],
    queryFn: ({ signal }) => listToolCalls(filter, signal),
  });
  // Older pages do not change, and new rows would move what is read there.
  const live = useLive(() => void (cursor === undefined && list.refetch()), PACE_MS, DERIVED_AFTER_MS);
  const rows = list.data?.data ?? [];
  const change = (next: Readonly<Record<string, string | undefined>>) =>
    navigate({ search: (before) => ({ ...before, cursor: undefined, row: undefined, ...next }), replace: true });
  useRowKeys({
    rows: rows.map(({ id }) => id),
    selected: row,
    select: (id) => navigate({ search: (before) => ({ ...before, row: id }), replace: true }),
    open: (id) => void navigate({ to: "/tool-calls/$id", params: { id }, search: {} }),
  });
  const isFiltered = [status, tool, code].some((value) => value !== undefined);
  const older = list.data?.nextCursor ?? undefined;
  return (
    <>
      <PageHead
        title="Tool calls"
        crumb={CRUMB}
        meta={
          <>
            <LiveMark state={live} />
            {list.isSuccess && <span>{formatCount(rows.length)} shown, newest first</span>}
          </>
        }
      />
      <search className={table["filters"]}>
        <select
          className={controls["select"]}
          aria-label="Status"
          value={status ?? ""}
          onChange={({ target }) => change({ status: target.value })}
        >
          <option value="">Any status</option>
          {STATUSES.map((name) => (
            <option key={name} value={name}>
              {callStatus(name).word}
            </option>
          ))}
        </select>
        {Object.entries({ tool, code }).map(
          ([name, value]) =>
            value !== undefined && (
              <Button
                key={name}
                aria-label={`Remove the filter ${name}: ${value}`}
                onClick={() => change({ [name]: undefined })}
              >
                {name}: <code>{toLine(value, 60)}</code> <span aria-hidden="true">×</span>
              </Button>
            ),
        )}
      </search>
      <Loaded
        query={list}
        label="tool calls"
        empty={() =>
          rows.length > 0 ? undefined : isFiltered ? (
            <EmptyBlock
              title="No tool call matches"
              action={
                <Button onClick={() => change({ status: undefined, tool: undefined, code: undefined })}>
                  Remove all filters
                </Button>
              }
            >
              Other tool calls may have another status, tool or code.
            </EmptyBlock>
          ) : (
            <EmptyBlock title="No tool was called yet" command={'yagate exec "Order desk" "Where is order ORD-12345?"'}>
              A tool call appears here when a model asks for a tool.
            </EmptyBlock>
          )
        }
      >
        {() => (
          <>
            <DataTable label="Tool calls" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} selected={row} />
            {(older !== undefined || cursor !== undefined) && (
              <nav className={controls["actions"]} aria-label="Pages of tool calls">
                {cursor !== undefined && (
                  <Link to="/tool-calls" search={(before) => ({ ...before, cursor: undefined })}>
                    Newest
                  </Link>
                )}
                {older !== undefined && (
                  <Link to="/tool-calls" search={(before) => ({ ...before, cursor: older })}>
                    Older
                  </Link>
                )}
              </nav>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const COLUMNS: readonly Column<ToolCallSummary>[] = [
  {
    name: "Status",
    widthRem: 10,
    at: "status",
    cell: ({ status }) => {
      const { kind, word } = callStatus(status);
      return <Status kind={kind}>{word}</Status>;
    },
  },
  {
    name: "Tool",
    at: "main",
    cell: ({ id, name }) => (
      <Link to="/tool-calls/$id" params={{ id }} className={`${text["mono"]} ${text["cut"]}`}>
        {toLine(name, 80)}
      </Link>
    ),
  },
  { name: "Code", widthRem: 14, at: "left", cell: ({ code }) => (code === null ? NONE : <code>{code}</code>) },
  {
    name: "Execution",
    widthRem: 13,
    at: "dropped",
    cell: ({ executionId }) => (
      <Link to="/executions/$id" params={{ id: executionId }} className={text["mono"]}>
        {shortId(executionId)}
      </Link>
    ),
  },
  {
    name: "Took",
    widthRem: 6,
    at: "right",
    isNumber: true,
    cell: ({ requestedAt, finishedAt }) =>
      finishedAt === null ? NONE : formatDuration(Date.parse(finishedAt) - Date.parse(requestedAt)),
  },
  { name: "Requested", widthRem: 9, at: "when", isNumber: true, cell: ({ requestedAt }) => <Clock at={requestedAt} /> },
];
