import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { Agent } from "@yagate/protocol";
import { agentsQuery } from "../../api/agents.ts";
import { listExecutions } from "../../api/executions.ts";
import { useLive } from "../../live/live.ts";
import { EmptyBlock, LiveMark } from "../../parts/blocks.tsx";
import { classes } from "../../parts/classes.ts";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { formatCount, NONE } from "../../parts/numbers.ts";
import text from "../../parts/text.module.css";
import { toLine, VisibleText } from "../../parts/visible-text.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { useRowKeys } from "../../shell/row-keys.ts";
import { failureRate, runsByAgent } from "./runs-by-agent.ts";

/** The executions from which the last run and the failure rate are counted. */
const COUNTED = 200;
const PACE_MS = 5_000;

/** All agents, the newest first. */
export function AgentsPage() {
  const { row } = useSearch({ from: "/agents" });
  const navigate = useNavigate({ from: "/agents" });
  const list = useQuery(agentsQuery);
  const recent = useQuery({
    queryKey: ["agents", "runs"],
    queryFn: ({ signal }) => listExecutions({ filter: {}, limit: COUNTED }, signal),
  });
  const live = useLive(() => void recent.refetch(), PACE_MS);
  const runs = runsByAgent(recent.data?.data ?? []);
  const rows = list.data ?? [];
  useRowKeys({
    rows: rows.map(({ id }) => id),
    selected: row,
    select: (id) => navigate({ search: { row: id }, replace: true }),
    open: (id) => navigate({ to: "/agents/$id", params: { id }, search: {} }),
  });
  const columns: readonly Column<Agent>[] = [
    {
      name: "Agent",
      at: "main",
      cell: ({ id, name, description }) => (
        <Link className={text["cut"]} to="/agents/$id" params={{ id }}>
          {toLine(name, 100)}
          {description !== undefined && description !== "" && (
            <span className={text["quiet"]}>
              {" "}
              <VisibleText text={toLine(description, 160)} />
            </span>
          )}
        </Link>
      ),
    },
    {
      name: "Model",
      widthRem: 15,
      at: "left",
      cell: ({ model }) => <span className={`${text["mono"]} ${text["cut"]}`}>{model}</span>,
    },
    { name: "Version", widthRem: 5, at: "dropped", isNumber: true, cell: ({ version }) => version },
    { name: "Tools", widthRem: 5, at: "dropped", isNumber: true, cell: ({ tools }) => formatCount(tools.length) },
    {
      name: "Failed",
      widthRem: 7,
      at: "right",
      isNumber: true,
      cell: ({ id }) => failureRate(runs.get(id)) ?? NONE,
    },
    {
      name: "Last run",
      widthRem: 11,
      at: "when",
      isNumber: true,
      cell: ({ id }) => {
        const last = runs.get(id)?.last;
        return last === undefined ? NONE : <Clock at={last.createdAt} isAlone />;
      },
    },
  ];
  return (
    <>
      <PageHead
        title="Agents"
        meta={
          <>
            <LiveMark state={live} />
            {list.isSuccess && <span>{formatCount(rows.length)} shown</span>}
            <span className={text["quiet"]}>Last runs and failure rates, from the last {COUNTED} executions</span>
          </>
        }
        actions={
          <>
            <CopyButton text="yagate agents list" label="Copy as CLI" />
            <Link className={classes(controls["button"], controls["primary"])} to="/agents/new">
              New agent
            </Link>
          </>
        }
      />
      <Loaded
        query={list}
        label="agents"
        empty={(agents) =>
          agents.length > 0 ? undefined : (
            <EmptyBlock
              title="No agents yet"
              command="yagate agents create agent.json"
              action={
                <Link className={controls["button"]} to="/agents/new">
                  New agent
                </Link>
              }
            >
              An agent is a model with instructions, tools and limits.
            </EmptyBlock>
          )
        }
      >
        {(agents) => <DataTable label="Agents" columns={columns} rows={agents} keyOf={({ id }) => id} selected={row} />}
      </Loaded>
    </>
  );
}
