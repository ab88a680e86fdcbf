import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ToolSource, WorkspaceTool } from "@yagate/protocol";
import { listSources, listTools } from "../../api/tools.ts";
import { useLive } from "../../live/live.ts";
import { EmptyBlock, LiveMark } from "../../parts/blocks.tsx";
import { classes } from "../../parts/classes.ts";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { countOf, formatCount, NONE } from "../../parts/numbers.ts";
import { Section } from "../../parts/section.tsx";
import { Status } from "../../parts/status.tsx";
import type { StatusKind } from "../../parts/status-kind.ts";
import text from "../../parts/text.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { useRowKeys } from "../../shell/row-keys.ts";

const PACE_MS = 10_000;

/** The tools of the workspace, and the sources that publish tools. */
export function ToolsPage() {
  const { row } = useSearch({ from: "/tools" });
  const navigate = useNavigate({ from: "/tools" });
  const tools = useQuery({ queryKey: ["tools"], queryFn: ({ signal }) => listTools(signal) });
  const sources = useQuery({ queryKey: ["sources"], queryFn: ({ signal }) => listSources(signal) });
  const live = useLive(() => {
    void tools.refetch();
    void sources.refetch();
  }, PACE_MS);
  useRowKeys({
    rows: [...(sources.data ?? []), ...(tools.data ?? [])].map(({ id }) => id),
    selected: row,
    select: (id) => navigate({ search: { row: id }, replace: true }),
    open: (id) =>
      sources.data?.some((source) => source.id === id) === true
        ? navigate({ to: "/sources/$id", params: { id }, search: {} })
        : navigate({ to: "/tools/$id", params: { id }, search: {} }),
  });
  return (
    <>
      <PageHead
        title="Tools"
        meta={
          <>
            <LiveMark state={live} />
            {tools.isSuccess && <span>{countOf(tools.data.length, "tool")}</span>}
          </>
        }
        actions={
          <>
            <CopyButton text="yagate tools list" label="Copy as CLI" />
            <Link className={classes(controls["button"], controls["primary"])} to="/tools/new">
              New tool
            </Link>
          </>
        }
      />
      <Section title="Sources" note="places that publish tools">
        <Loaded
          query={sources}
          label="sources"
          empty={(rows) =>
            rows.length > 0 ? undefined : (
              <EmptyBlock title="No source" command="yagate sources add https://tools.example.com/tools --name orders">
                A handler, an MCP server or an OpenAPI document publishes its tools, and a person accepts them.
              </EmptyBlock>
            )
          }
        >
          {(rows) => (
            <DataTable label="Sources" columns={sourceColumns} rows={rows} keyOf={({ id }) => id} selected={row} />
          )}
        </Loaded>
      </Section>
      <Section title="Workspace tools" note="that any agent may use">
        <Loaded
          query={tools}
          label="tools"
          empty={(rows) =>
            rows.length > 0 ? undefined : (
              <EmptyBlock title="No tool yet" command="yagate tools create tool.json">
                A workspace tool calls an HTTP API, your handler, or several tools in turn.
              </EmptyBlock>
            )
          }
        >
          {(rows) => (
            <DataTable label="Tools" columns={toolColumns} rows={rows} keyOf={({ id }) => id} selected={row} />
          )}
        </Loaded>
      </Section>
    </>
  );
}

const TOOL_STATES: Readonly<Record<string, readonly [StatusKind, string]>> = {
  draft: ["queued", "Draft"],
  configured: ["queued", "Configured"],
  tested: ["running", "Tested"],
  validated: ["running", "Validated"],
  created: ["ok", "In use"],
};

const toolColumns: readonly Column<WorkspaceTool>[] = [
  {
    name: "State",
    widthRem: 9,
    at: "status",
    cell: ({ status }) => {
      const [kind, word] = TOOL_STATES[status] ?? ["unknown", status];
      return <Status kind={kind}>{word}</Status>;
    },
  },
  {
    name: "Name",
    at: "main",
    cell: ({ id, name }) => (
      <Link className={`${text["mono"]} ${text["cut"]}`} to="/tools/$id" params={{ id }}>
        {toLine(name, 100)}
      </Link>
    ),
  },
  { name: "Kind", widthRem: 7, at: "left", cell: ({ kind }) => (kind === "rest" ? "HTTP" : kind) },
  { name: "Version", widthRem: 5, at: "dropped", isNumber: true, cell: ({ version }) => version },
  {
    name: "Last test",
    widthRem: 12,
    at: "right",
    isNumber: true,
    cell: ({ lastTest }) =>
      lastTest === null ? (
        NONE
      ) : (
        <Status kind={lastTest.ok ? "ok" : "failed"}>
          <Clock at={lastTest.at} isAlone />
        </Status>
      ),
  },
  {
    name: "Saved",
    widthRem: 11,
    at: "when",
    isNumber: true,
    cell: ({ updatedAt }) => <Clock at={updatedAt} isAlone />,
  },
];

const SOURCE_STATES: Readonly<Record<string, readonly [StatusKind, string]>> = {
  ready: ["ok", "Ready"],
  changed: ["waiting", "Changes wait"],
  unreachable: ["failed", "Unreachable"],
  unauthorized: ["denied", "Unauthorized"],
};

/** The state of a source: shape, word and colour. */
export function SourceStatus({ status }: Pick<ToolSource, "status">) {
  const [kind, word] = SOURCE_STATES[status] ?? (["unknown", status] as const);
  return <Status kind={kind}>{word}</Status>;
}

const sourceColumns: readonly Column<ToolSource>[] = [
  { name: "State", widthRem: 9, at: "status", cell: ({ status }) => <SourceStatus status={status} /> },
  {
    name: "Name",
    widthRem: 12,
    at: "main",
    cell: ({ id, name }) => (
      <Link className={`${text["mono"]} ${text["cut"]}`} to="/sources/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  { name: "Kind", widthRem: 6, at: "left", cell: ({ kind }) => kind },
  {
    name: "URL",
    at: "dropped",
    cell: ({ url }) => <span className={`${text["mono"]} ${text["cut"]}`}>{url ?? "uploaded"}</span>,
  },
  {
    name: "Held",
    widthRem: 6,
    at: "right",
    isNumber: true,
    cell: ({ toolCounts: { held, published } }) => `${formatCount(held)} of ${formatCount(published)}`,
  },
  {
    name: "Synced",
    widthRem: 11,
    at: "when",
    isNumber: true,
    cell: ({ syncedAt }) => (syncedAt === null ? NONE : <Clock at={syncedAt} isAlone />),
  },
];
