import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useRef, useState } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { isOpen, listExecutions } from "../../api/executions.ts";
import { useLive } from "../../live/live.ts";
import { EmptyBlock, ErrorBlock, LiveMark, Skeleton } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { formatCount, shortId } from "../../parts/numbers.ts";
import css from "../../parts/table.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import { useKeys } from "../../shell/keys.ts";
import { PageHead } from "../../shell/page-head.tsx";
import { useRowKeys } from "../../shell/row-keys.ts";
import type { SearchParams } from "../../shell/search-params.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { listCommand, listCurl } from "./commands.ts";
import { ExecutionsTable } from "./executions-table.tsx";
import { exportExecutions } from "./export.ts";
import { Filters } from "./filters.tsx";
import { useShownRows } from "./shown-rows.ts";

const LIMIT = 50;
const FILTERS = ["status", "agent", "code", "tool", "range", "metadata"] as const;

/** All executions, newest first. */
export function ExecutionsPage() {
  const search = useSearch({ from: "/executions" });
  const navigate = useNavigate({ from: "/executions" });
  const { cursor, row } = search;
  const filter = Object.fromEntries(FILTERS.map((name) => [name, search[name] === "" ? undefined : search[name]]));
  const isFiltered = FILTERS.some((name) => filter[name] !== undefined);
  const isFirst = cursor === undefined;
  const list = useQuery({
    queryKey: ["executions", filter, cursor ?? ""],
    queryFn: ({ signal }) => listExecutions({ filter, cursor, limit: LIMIT }, signal),
  });
  const agents = useQuery(agentsQuery);
  const { rows, freshCount, isFollowing, showFresh, toggleFollowing, refresh } = useShownRows(
    JSON.stringify([filter, cursor]),
    list.data?.data,
  );
  const live = useLive((ids) => {
    void list.refetch();
    void refresh(ids);
  });
  const hasOlder = freshCount > 0 || list.data?.nextCursor != null;
  const olderCursor = isFirst ? rows.at(-1)?.id : (list.data?.nextCursor ?? undefined);
  const metadataInput = useRef<HTMLInputElement>(null);
  const [cancelling, setCancelling] = useState<string>();
  const exporting = useMutation({ mutationFn: () => exportExecutions(filter) });

  const change = useCallback(
    (next: SearchParams, isReplacing = false) =>
      navigate({
        search: (before: SearchParams) => ({ ...before, cursor: undefined, row: undefined, ...next }),
        replace: isReplacing,
      }),
    [navigate],
  );
  useRowKeys({
    rows: rows.map(({ id }) => id),
    selected: row,
    select: (id) => change({ cursor, row: id }, true),
    open: (id) => navigate({ to: "/executions/$id", params: { id }, search: {} }),
  });
  useKeys({
    f: () => change({ status: search["status"] === "failed" ? undefined : "failed" }),
    l: toggleFollowing,
    "/": (event) => {
      event.preventDefault();
      metadataInput.current?.focus();
    },
  });
  const selected = rows.find(({ id }) => id === row);
  const nameOf = (id: string) => toLine(agents.data?.find((agent) => agent.id === id)?.name ?? shortId(id), 60);
  return (
    <>
      <PageHead
        title="Executions"
        meta={
          <>
            <LiveMark state={live} />
            {list.isSuccess && <span>{formatCount(rows.length)} shown</span>}
            {isFollowing && <span>Following</span>}
            <Link to="/tool-calls">All tool calls</Link>
          </>
        }
        actions={
          <>
            {selected !== undefined && isOpen(selected) && (
              <Button onClick={() => setCancelling(selected.id)}>Cancel…</Button>
            )}
            <Button onClick={() => exporting.mutate()} disabled={exporting.isPending}>
              <Icon name="download" />
              {exporting.isPending ? "Exporting" : "Export"}
            </Button>
            <CopyButton text={() => listCommand(search)} label="Copy as CLI" />
            <CopyButton text={() => listCurl(search)} label="Copy as curl" />
          </>
        }
      />
      <Filters search={search} agents={agents.data} metadataInput={metadataInput} onChange={change} />
      {exporting.isError && <ErrorBlock error={exporting.error} onRetry={() => exporting.mutate()} />}
      {list.isError ? (
        <ErrorBlock error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton label="executions" lines={12} />
      ) : rows.length === 0 && freshCount === 0 ? (
        <NoExecutions isFiltered={isFiltered || !isFirst} onClear={() => navigate({ search: {} })} />
      ) : (
        <>
          <div className={css["sheet"]} data-state="ready">
            {freshCount > 0 && (
              <button type="button" className={css["fresh"]} onClick={showFresh}>
                {formatCount(freshCount)}
                {freshCount === LIMIT && "+"} new
              </button>
            )}
            <ExecutionsTable rows={rows} selected={row} nameOf={nameOf} now={list.dataUpdatedAt} />
          </div>
          <div className={css["pager"]}>
            <KeyHints />
            <nav aria-label="Pages of executions">
              <span className={css["hints"]}>
                <Button isSmall disabled={isFirst} onClick={() => history.back()}>
                  Newer
                </Button>
                <Button isSmall disabled={!hasOlder} onClick={() => change({ cursor: olderCursor })}>
                  Older
                </Button>
              </span>
            </nav>
          </div>
        </>
      )}
      {cancelling !== undefined && <CancelDialog id={cancelling} onClose={() => setCancelling(undefined)} />}
    </>
  );
}

function NoExecutions({ isFiltered, onClear }: { readonly isFiltered: boolean; onClear(): void }) {
  if (!isFiltered) {
    return (
      <EmptyBlock title="No executions yet" command={'yagate exec "Order desk" "Where is order ORD-12345?"'}>
        An execution is one run of an agent on one input. It appears here as soon as it starts.
      </EmptyBlock>
    );
  }
  return (
    <EmptyBlock title="No execution matches" action={<Button onClick={onClear}>Clear filters</Button>}>
      No execution matches these filters, or none has been started yet.
    </EmptyBlock>
  );
}

function KeyHints() {
  return (
    <span className={css["hints"]}>
      <span>
        <kbd>j</kbd>
        <kbd>k</kbd> move
      </span>
      <span>
        <kbd>Enter</kbd> open
      </span>
      <span>
        <kbd>f</kbd> failed only
      </span>
      <span>
        <kbd>/</kbd> filter
      </span>
      <span>
        <kbd>?</kbd> all keys
      </span>
    </span>
  );
}
