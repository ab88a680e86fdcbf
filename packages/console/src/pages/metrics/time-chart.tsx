import { useId } from "react";
import { HiddenText } from "../../parts/hidden-text.tsx";
import css from "./metrics.module.css";

export interface ChartSeries {
  readonly name: string;
  /** A class that gives its colour, of `metrics.module.css`. */
  readonly look: string;
  /** A value for each step; undefined where there is none. */
  readonly values: readonly (number | undefined)[];
}

interface TimeChartProps {
  readonly label: string;
  /** `bars`: the series are stacked. `lines`: each has its own line. */
  readonly kind: "bars" | "lines";
  readonly series: readonly ChartSeries[];
  /** The start of each step, in ms since the epoch. */
  readonly steps: readonly number[];
  readonly format: (value: number) => string;
}

const WIDTH = 600;
const HEIGHT = 140;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayClock = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DAY_MS = 86_400_000;

/** Values over time. The same numbers stand in a table behind it. */
export function TimeChart({ label, kind, series, steps, format }: TimeChartProps) {
  const titleId = useId();
  const top = highest(kind, series, steps.length);
  const spanMs = (steps.at(-1) ?? 0) - (steps[0] ?? 0);
  const name = (at: number) => (spanMs > DAY_MS ? dayClock : clock).format(at);
  const middle = steps[Math.floor(steps.length / 2)];
  return (
    <figure className={css["chart"]} aria-labelledby={titleId}>
      <figcaption id={titleId}>
        <HiddenText>{label}: a chart of the numbers in the table behind it.</HiddenText>
        <ul className={css["legend"]}>
          {series.map(({ name: word, look }) => (
            <li key={word}>
              <svg className={css[look]} width="10" height="10" aria-hidden="true" focusable="false">
                <rect width="10" height="10" />
              </svg>
              {word}
            </li>
          ))}
        </ul>
      </figcaption>
      <div className={css["plot"]} aria-hidden="true">
        <span className={css["top"]}>{format(top)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" focusable="false">
          <path className={css["grid"]} d={`M0 .5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}`} />
          {kind === "bars" ? (
            <Bars series={series} count={steps.length} top={top} />
          ) : (
            <Paths series={series} top={top} />
          )}
        </svg>
        <div className={css["times"]}>
          <span>{steps[0] === undefined ? "" : name(steps[0])}</span>
          <span>{middle === undefined ? "" : name(middle)}</span>
          <span>now</span>
        </div>
      </div>
    </figure>
  );
}

function highest(kind: "bars" | "lines", series: readonly ChartSeries[], count: number): number {
  const values =
    kind === "lines"
      ? series.flatMap(({ values: each }) => each.map((value) => value ?? 0))
      : Array.from({ length: count }, (_, step) =>
          series.reduce((sum, { values: each }) => sum + (each[step] ?? 0), 0),
        );
  return Math.max(...values, 0) || 1;
}

function Bars({
  series,
  count,
  top,
}: {
  readonly series: readonly ChartSeries[];
  readonly count: number;
  readonly top: number;
}) {
  const width = WIDTH / Math.max(count, 1);
  const below = new Array<number>(count).fill(0);
  return series.map(({ name, look, values }) => (
    <g key={name} className={css[look]}>
      {values.map((value, step) => {
        if (value === undefined || value === 0) return null;
        const height = Math.max((value / top) * HEIGHT, 1);
        const from = below[step] ?? 0;
        below[step] = from + height;
        return (
          <rect
            key={step}
            x={step * width + width * 0.1}
            width={width * 0.8}
            y={HEIGHT - from - height}
            height={height}
          />
        );
      })}
    </g>
  ));
}

function Paths({ series, top }: { readonly series: readonly ChartSeries[]; readonly top: number }) {
  return series.map(({ name, look, values }) => {
    const width = WIDTH / Math.max(values.length, 1);
    const points = values.flatMap((value, step) =>
      value === undefined ? [] : [[(step + 0.5) * width, HEIGHT - (value / top) * (HEIGHT - 2) - 1] as const],
    );
    return (
      <g key={name} className={css[look]}>
        <polyline points={points.map((point) => point.join(",")).join(" ")} />
        {points.map(([x, y]) => (
          <rect key={x} x={x - 1.5} y={y - 1.5} width="3" height="3" />
        ))}
      </g>
    );
  });
}
