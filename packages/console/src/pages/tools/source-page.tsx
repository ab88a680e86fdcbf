import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ToolSource, ToolSourceTest } from "@yagate/protocol";
import { getSource, syncSource, testSource } from "../../api/tools.ts";
import { useLive } from "../../live/live.ts";
import { ErrorBlock, Facts, LiveMark, Notice } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { CopyMenu } from "../../parts/copy-menu.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { formatCount, formatDuration, NONE, shortId } from "../../parts/numbers.ts";
import { Quiet, Section } from "../../parts/section.tsx";
import { Status } from "../../parts/status.tsx";
import type { StatusKind } from "../../parts/status-kind.ts";
import text from "../../parts/text.module.css";
import { toLine, VisibleText } from "../../parts/visible-text.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { HeldChanges } from "./held-changes.tsx";
import { SourceStatus } from "./tools-page.tsx";

const CRUMB = { path: "/tools", name: "Tools" };
const PACE_MS = 10_000;

/** One source: what it publishes, and the changes that wait for a person. */
export function SourcePage() {
  const { id } = useParams({ from: "/sources/$id" });
  const source = useQuery({ queryKey: ["source", id], queryFn: ({ signal }) => getSource(id, signal) });
  const queries = useQueryClient();
  const live = useLive(() => void source.refetch(), PACE_MS);
  const read = useMutation({
    mutationFn: () => syncSource(id),
    onSuccess: async (synced) => {
      queries.setQueryData(["source", id], synced);
      await queries.invalidateQueries({ queryKey: ["changes", id] });
    },
  });
  const test = useMutation({ mutationFn: () => testSource(id) });
  const { data } = source;
  return (
    <>
      <PageHead
        title={data === undefined ? "Tool source" : toLine(data.name, 60)}
        crumb={CRUMB}
        meta={
          data !== undefined && (
            <>
              <SourceStatus status={data.status} />
              <span>{data.kind}</span>
              <span className={text["idGroup"]}>
                <span className={text["id"]}>{shortId(id)}</span>
                <CopyButton text={id} label="Copy id" isIcon />
              </span>
              <LiveMark state={live} />
            </>
          )
        }
        actions={
          <>
            <Button disabled={test.isPending} onClick={() => test.mutate()}>
              {test.isPending ? "Testing" : "Test"}
            </Button>
            <Button disabled={read.isPending} onClick={() => read.mutate()}>
              {read.isPending ? "Syncing" : "Sync"}
            </Button>
            {data !== undefined && (
              <CopyMenu
                id={id}
                value={data}
                command={`yagate sources show ${data.name}`}
                path={`v1/tool-sources/${id}`}
              />
            )}
          </>
        }
      />
      {read.isError && <ErrorBlock error={read.error} />}
      {test.isError && <ErrorBlock error={test.error} />}
      {test.data !== undefined && <TestResult test={test.data} />}
      <Loaded query={source} label="the source">
        {(loaded) => (
          <>
            {loaded.reason !== null && (
              <Notice icon="failed">
                <code>{loaded.reason.code}</code> <VisibleText text={loaded.reason.message} />
              </Notice>
            )}
            <HeldChanges source={loaded} />
            <Section title="Tools" note={`${formatCount(loaded.toolCounts.published)} published`}>
              <SourceTools source={loaded} />
            </Section>
            <SourceFacts source={loaded} />
          </>
        )}
      </Loaded>
    </>
  );
}

function TestResult({ test }: { readonly test: ToolSourceTest }) {
  const { added, changed, removed } = test.changes;
  return (
    <Notice icon={test.reason === null ? "ok" : "failed"}>
      Read in {formatDuration(test.durationMs)}
      {test.reason === null ? (
        `: a sync would add ${added.length}, change ${changed.length} and remove ${removed.length} tools.`
      ) : (
        <>
          : <code>{test.reason.code}</code> <VisibleText text={test.reason.message} />
        </>
      )}
    </Notice>
  );
}

type SourceTool = NonNullable<ToolSource["tools"]>[number];

const STATES: Readonly<Record<string, readonly [StatusKind, string]>> = {
  accepted: ["ok", "Accepted"],
  new: ["waiting", "New"],
  changed: ["waiting", "Changed"],
  removed: ["cancelled", "Removed"],
};

const columns: readonly Column<SourceTool>[] = [
  {
    name: "State",
    widthRem: 9,
    at: "status",
    cell: ({ state }) => {
      const [kind, word] = STATES[state] ?? (["unknown", state] as const);
      return <Status kind={kind}>{word}</Status>;
    },
  },
  {
    name: "Name",
    at: "main",
    cell: ({ toolName }) => <span className={`${text["mono"]} ${text["cut"]}`}>{toLine(toolName, 100)}</span>,
  },
  { name: "Executions", widthRem: 7, at: "left", cell: ({ isOffered }) => (isOffered ? "Offered" : "Not offered") },
  { name: "Side effect", widthRem: 12, at: "right", cell: ({ sideEffect }) => sideEffect ?? NONE },
  { name: "Risk", widthRem: 10, at: "dropped", cell: ({ risk }) => risk ?? NONE },
];

function SourceTools({ source }: { readonly source: ToolSource }) {
  const tools = source.tools ?? [];
  if (tools.length === 0) {
    return <Quiet>The source publishes no tools.</Quiet>;
  }
  return <DataTable label="Tools of the source" columns={columns} rows={tools} keyOf={({ name }) => name} />;
}

function SourceFacts({ source }: { readonly source: ToolSource }) {
  const { url, signingSecret, onChange, syncIntervalSeconds, syncedAt, nextSyncAt, statusAt, skippedTools } = source;
  return (
    <Section title="Settings">
      <Facts
        rows={[
          ["URL", <code key="url">{url ?? "uploaded"}</code>],
          ["Signed with", signingSecret ?? NONE],
          ["When it changes", onChange],
          ["Syncs every", formatDuration(syncIntervalSeconds * 1_000)],
          ["Last sync", syncedAt === null ? NONE : <Clock key="synced" at={syncedAt} isAlone />],
          ["Next sync", nextSyncAt === null ? "on request" : <Clock key="next" at={nextSyncAt} isAlone />],
          ["State since", <Clock key="state" at={statusAt} isAlone />],
          ["Left out", skippedTools === undefined || skippedTools.length === 0 ? NONE : `${skippedTools.length} tools`],
        ]}
      />
    </Section>
  );
}
