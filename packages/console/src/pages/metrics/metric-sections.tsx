import { Link } from "@tanstack/react-router";
import type { MetricReport } from "@yagate/protocol";
import type { ReactNode } from "react";
import { type CountSeries, countsOf, type DistributionSeries, distributionsOf } from "../../api/metrics.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { formatCost, formatCount, formatDuration } from "../../parts/numbers.ts";
import { Quiet, Section } from "../../parts/section.tsx";
import { executionStatus, Status } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import css from "./metrics.module.css";
import { type ChartSeries, TimeChart } from "./time-chart.tsx";

interface MetricSectionsProps {
  readonly report: MetricReport;
  readonly nameOfAgent: (id: string) => string;
}

const STATUS_LOOKS: Readonly<Record<string, string>> = {
  completed: "ok",
  failed: "failed",
  cancelled: "quiet",
};
/** The styles of series that are not a status. */
const LOOKS = ["first", "second", "third", "fourth"];

export function MetricSections({ report, nameOfAgent }: MetricSectionsProps) {
  const { stepSeconds } = report;
  const from = Date.parse(report.from);
  const count = Math.max(1, Math.ceil((Date.parse(report.until) - from) / (stepSeconds * 1_000)));
  const steps = Array.from({ length: count }, (_, step) => from + step * stepSeconds * 1_000);
  const at = (time: string) => Math.floor((Date.parse(time) - from) / (stepSeconds * 1_000));
  const spread = <Point extends { readonly at: string }>(points: readonly Point[], value: (point: Point) => number) => {
    const values = new Array<number | undefined>(count).fill(undefined);
    for (const point of points) values[at(point.at)] = value(point);
    return values;
  };
  const counts = (series: readonly CountSeries[], nameOf: (label: string) => string): readonly ChartSeries[] =>
    series.slice(0, LOOKS.length).map(({ label, points }, index) => ({
      name: toLine(nameOf(label), 40),
      look: LOOKS[index] ?? "quiet",
      values: spread(points, ({ value }) => value),
    }));
  const percentiles = (series: DistributionSeries | undefined): readonly ChartSeries[] =>
    (["p50", "p95", "p99"] as const).map((name, index) => ({
      name,
      look: LOOKS[index] ?? "quiet",
      values: spread(series?.points ?? [], (point) => point[name]),
    }));
  const executions = countsOf(report, "executions");
  const tools = byCount(distributionsOf(report, "toolDuration"));
  const codes = byTotal(countsOf(report, "codes"));
  const tokens = sumByLabel([...countsOf(report, "inputTokens"), ...countsOf(report, "outputTokens")]);
  const cost = byTotal(countsOf(report, "cost"));
  const waits = [
    ...distributionsOf(report, "queueTime").map((series) => ({ ...series, label: "in the queue" })),
    ...byCount(distributionsOf(report, "waitTime")),
  ];
  return (
    <div className={css["sections"]}>
      <Section title="Executions" note="by status">
        <CountChart
          label="Executions by status"
          steps={steps}
          rows={executions}
          series={executions.map(({ label, points }) => ({
            name: executionStatus(label, null).word,
            look: STATUS_LOOKS[label] ?? "first",
            values: spread(points, ({ value }) => value),
          }))}
          format={formatCount}
          head="Status"
          name={(label) => (
            <Link to="/executions" search={{ status: label, range: report.range }}>
              <Status kind={executionStatus(label, null).kind}>{executionStatus(label, null).word}</Status>
            </Link>
          )}
          isEmpty={executions.length === 0}
          empty="No execution ended."
        />
      </Section>
      <Section
        title="Duration of tools"
        note={tools[0] === undefined ? "" : `the chart: ${toLine(tools[0].label, 40)}`}
      >
        <ChartOf isEmpty={tools.length === 0} empty="No tool was called.">
          <TimeChart
            label="Duration of the most used tool"
            kind="lines"
            steps={steps}
            format={formatDuration}
            series={percentiles(tools[0])}
          />
          <DistributionTable label="Duration of tools" rows={tools} format={formatDuration} head="Tool" />
        </ChartOf>
      </Section>
      <Section title="Failures" note="of tool calls, by code">
        <CountChart
          label="Failures by code"
          steps={steps}
          rows={codes}
          series={counts(codes, (label) => label)}
          format={formatCount}
          head="Code"
          name={codeName}
          isEmpty={codes.length === 0}
          empty="No tool call failed."
        />
      </Section>
      <Section title="Attempts per call" note="by tool">
        <ChartOf isEmpty={tools.length === 0} empty="No tool was called.">
          <DistributionTable
            label="Attempts per call"
            rows={byCount(distributionsOf(report, "callAttempts"))}
            format={(value) => value.toFixed(value % 1 === 0 ? 0 : 1)}
            head="Tool"
          />
        </ChartOf>
      </Section>
      <Section title="Tokens" note="by agent">
        <CountChart
          label="Tokens by agent"
          steps={steps}
          rows={tokens}
          series={counts(tokens, nameOfAgent)}
          format={formatCount}
          head="Agent"
          name={agentLink(nameOfAgent)}
          isEmpty={tokens.length === 0}
          empty="No model was called."
        />
      </Section>
      <Section title="Cost" note="by agent">
        <CountChart
          label="Cost by agent"
          steps={steps}
          rows={cost}
          series={counts(cost, nameOfAgent)}
          format={formatCost}
          head="Agent"
          name={agentLink(nameOfAgent)}
          isEmpty={cost.every(({ total }) => total.value === 0)}
          empty="No costs were recorded."
        />
      </Section>
      <Section title="Waiting" note="in the queue, and by reason">
        <ChartOf isEmpty={waits.length === 0} empty="Nothing waited.">
          <DistributionTable label="Time of waiting" rows={waits} format={formatDuration} head="Wait" />
        </ChartOf>
      </Section>
    </div>
  );
}

const byCount = (series: readonly DistributionSeries[]) =>
  series.toSorted((left, right) => right.total.count - left.total.count);
const byTotal = (series: readonly CountSeries[]) =>
  series.toSorted((left, right) => right.total.value - left.total.value);

/** Adds the series that have the same label. */
function sumByLabel(series: readonly CountSeries[]): readonly CountSeries[] {
  const sums = new Map<string, CountSeries>();
  for (const each of series) {
    const known = sums.get(each.label);
    if (known === undefined) {
      sums.set(each.label, each);
      continue;
    }
    const values = new Map(known.points.map(({ at, value }) => [at, value]));
    for (const { at, value } of each.points) values.set(at, (values.get(at) ?? 0) + value);
    const points = [...values].map(([at, value]) => ({ at, value }));
    sums.set(each.label, { ...known, points, total: { value: known.total.value + each.total.value } });
  }
  return byTotal([...sums.values()]);
}

interface ChartOfProps {
  readonly isEmpty: boolean;
  readonly empty: string;
  readonly children: ReactNode;
}

function ChartOf({ isEmpty, empty, children }: ChartOfProps) {
  return isEmpty ? <Quiet>{empty}</Quiet> : <div className={css["pair"]}>{children}</div>;
}

const agentLink = (nameOf: (id: string) => string) => (id: string) => (
  <Link to="/agents/$id" params={{ id }}>
    {toLine(nameOf(id), 60)}
  </Link>
);

const codeName = (code: string) => (
  <Link to="/tool-calls" search={{ code }} className={text["mono"]}>
    {code}
  </Link>
);

interface CountTableProps {
  readonly label: string;
  readonly head: string;
  readonly rows: readonly CountSeries[];
  readonly format: (value: number) => string;
  readonly name: (label: string) => ReactNode;
}

interface CountChartProps extends CountTableProps, Omit<ChartOfProps, "children"> {
  readonly steps: readonly number[];
  readonly series: readonly ChartSeries[];
}

/** Bars over time, and the table behind them. */
function CountChart({ steps, series, isEmpty, empty, ...counts }: CountChartProps) {
  return (
    <ChartOf isEmpty={isEmpty} empty={empty}>
      <TimeChart label={counts.label} kind="bars" steps={steps} format={counts.format} series={series} />
      <CountTable {...counts} />
    </ChartOf>
  );
}

function CountTable({ label, head, rows, format, name }: CountTableProps) {
  const columns: readonly Column<CountSeries>[] = [
    { name: head, at: "main", cell: (row) => name(row.label) },
    { name: "Total", widthRem: 8, at: "right", isNumber: true, cell: ({ total }) => format(total.value) },
  ];
  return <DataTable label={label} columns={columns} rows={rows} keyOf={(row) => row.label} />;
}

interface DistributionTableProps {
  readonly label: string;
  readonly head: string;
  readonly rows: readonly DistributionSeries[];
  readonly format: (value: number) => string;
}

function DistributionTable({ label, head, rows, format }: DistributionTableProps) {
  const columns: readonly Column<DistributionSeries>[] = [
    {
      name: head,
      at: "main",
      cell: ({ metric, label }) => {
        const className = `${text["mono"]} ${text["cut"]}`;
        if (metric !== "toolDuration" && metric !== "callAttempts") return <span className={className}>{label}</span>;
        return (
          <Link to="/tool-calls" search={{ tool: label }} className={className}>
            {toLine(label, 60)}
          </Link>
        );
      },
    },
    { name: "Count", widthRem: 4.5, at: "dropped", isNumber: true, cell: ({ total }) => formatCount(total.count) },
    { name: "p50", widthRem: 5.5, at: "left", isNumber: true, cell: ({ total }) => format(total.p50) },
    { name: "p95", widthRem: 5.5, at: "right", isNumber: true, cell: ({ total }) => format(total.p95) },
    { name: "p99", widthRem: 5.5, at: "dropped", isNumber: true, cell: ({ total }) => format(total.p99) },
  ];
  return <DataTable label={label} columns={columns} rows={rows} keyOf={(row) => `${row.metric} ${row.label}`} />;
}
