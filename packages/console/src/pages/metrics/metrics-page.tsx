import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Agent, MetricRangeName } from "@yagate/protocol";
import { agentsQuery } from "../../api/agents.ts";
import { getMetrics } from "../../api/metrics.ts";
import { toUrl } from "../../api/request.ts";
import { DERIVED_AFTER_MS, useLive } from "../../live/live.ts";
import { EmptyBlock, LiveMark, Notice } from "../../parts/blocks.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { MetricSections } from "./metric-sections.tsx";
import css from "./metrics.module.css";

const RANGES: readonly (readonly [MetricRangeName, string])[] = [
  ["1h", "1 h"],
  ["24h", "24 h"],
  ["7d", "7 d"],
];
const PACE_MS = 15_000;

function nameOf(agents: readonly Agent[] | undefined): (id: string) => string {
  return (id) => agents?.find((agent) => agent.id === id)?.name ?? id;
}

/** What the executions of the workspace did over time. Every chart has its table. */
export function MetricsPage() {
  const search = useSearch({ from: "/metrics" });
  const navigate = useNavigate({ from: "/metrics" });
  const range = RANGES.find(([name]) => name === search["range"])?.[0] ?? "24h";
  const report = useQuery({ queryKey: ["metrics", range], queryFn: ({ signal }) => getMetrics(range, signal) });
  const agents = useQuery(agentsQuery);
  const live = useLive(() => void report.refetch(), PACE_MS, DERIVED_AFTER_MS);
  return (
    <>
      <PageHead
        title="Metrics"
        meta={<LiveMark state={live} />}
        actions={
          <CopyButton
            text={`curl -s "${toUrl("v1/metrics/series", { range }).href}" -H "Authorization: Bearer $YAGATE_API_KEY"`}
            label="Copy as curl"
          />
        }
      />
      <div className={css["bar"]}>
        <div className={controls["segments"]} role="group" aria-label="Range">
          {RANGES.map(([name, word]) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === range}
              onClick={() => navigate({ search: { range: name === "24h" ? undefined : name } })}
            >
              {word}
            </button>
          ))}
        </div>
      </div>
      <Loaded
        query={report}
        label="metrics"
        empty={({ series }) =>
          series.length > 0 ? undefined : (
            <EmptyBlock
              title="Nothing ran in this period"
              command={'yagate exec "Order desk" "Where is order ORD-12345?"'}
            >
              Executions, their tool calls and their cost appear here a few seconds after they happen.
            </EmptyBlock>
          )
        }
      >
        {(data) => (
          <>
            {data.isPartial && <Notice icon="clock">Executions from before an upgrade are still being added.</Notice>}
            <MetricSections report={data} nameOfAgent={nameOf(agents.data)} />
          </>
        )}
      </Loaded>
    </>
  );
}
