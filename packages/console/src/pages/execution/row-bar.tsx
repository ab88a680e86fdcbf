import type { TimeScale } from "./time-scale.ts";
import css from "./timeline.module.css";
import type { Phases, TimelineRow } from "./timeline.ts";

/** The names of the phases of an attempt, in their order. */
export const PHASES = [
  ["dns", "DNS"],
  ["connect", "Connect"],
  ["tls", "TLS"],
  ["firstByte", "First byte"],
] as const satisfies readonly (readonly [keyof Phases, string])[];

const MIN_WIDTH = 0.6;

/** The bar of a row. Its facts are also in the row's text. */
export function RowBar({ row, scale }: { readonly row: TimelineRow; readonly scale: TimeScale }) {
  const x = scale.place(row.from);
  const width = Math.max(MIN_WIDTH, scale.place(row.to ?? scale.end) - x);
  return (
    <svg aria-hidden="true" focusable="false">
      {scale.gaps.map((gap) => (
        <rect key={gap.from} className={css["gap"]} x={`${gap.x}%`} width={`${gap.width}%`} y="0" height="100%" />
      ))}
      {scale.ticks.map((tick) => (
        <line key={tick.x} className={css["tick"]} x1={`${tick.x}%`} x2={`${tick.x}%`} y1="0" y2="100%" />
      ))}
      <PlacedBar row={row} x={x} width={width} scale={scale} />
    </svg>
  );
}

/** The bar, or an arrow to where it is: before or after what is shown. */
function PlacedBar(props: BarProps) {
  const { row, scale } = props;
  const side = sideOf(row, scale);
  if (side === undefined) return <Bar {...props} />;
  const isBefore = side === "before";
  return (
    <text className={css["outside"]} x={isBefore ? "1%" : "99%"} y="50%" dy="4" textAnchor={isBefore ? "start" : "end"}>
      {isBefore ? "‹" : "›"}
    </text>
  );
}

/** Returns on which side of what is shown a row lies; undefined if a part of it is shown. */
export function sideOf({ from, to }: TimelineRow, { start, end }: TimeScale): "before" | "after" | undefined {
  if (from > end) return "after";
  return to !== undefined && to < start ? "before" : undefined;
}

interface BarProps {
  readonly row: TimelineRow;
  readonly x: number;
  readonly width: number;
  readonly scale: TimeScale;
}

function Bar({ row, x, width, scale }: BarProps) {
  const whole = { x: `${x}%`, width: `${width}%`, y: "50%", height: 9, transform: "translate(0 -4.5)" };
  switch (row.type) {
    case "turn":
      return <rect className={css["model"]} {...whole} />;
    case "call":
      return <rect className={css["span"]} {...whole} height={1.5} transform="translate(0 -0.75)" />;
    case "wait":
      return <rect className={row.reason === "retry" ? css["retry"] : css["waiting"]} {...whole} />;
    case "note":
      return <rect className={row.kind === "failed" ? css["failed"] : css["span"]} {...whole} />;
    case "attempt":
      return <AttemptBar row={row} x={x} width={width} whole={whole} scale={scale} />;
  }
}

interface AttemptBarProps extends BarProps {
  readonly row: Extract<TimelineRow, { type: "attempt" }>;
  readonly whole: Readonly<Record<string, string | number>>;
}

function AttemptBar({ row, x, width, whole, scale }: AttemptBarProps) {
  if (row.kind === "unknown") {
    return (
      <>
        <rect className={css["unknown"]} {...whole} />
        <text className={css["unknownMark"]} x={`${Math.min(96, x + width + 1)}%`} y="50%" dy="4">
          ?
        </text>
      </>
    );
  }
  if (row.kind === "failed") return <rect className={css["failed"]} {...whole} />;
  if (row.phases === undefined || row.to === undefined) return <rect className={css["firstByte"]} {...whole} />;
  let from = row.from;
  const pieces: { readonly name: string; readonly x: number; readonly width: number }[] = [];
  for (const [name] of PHASES) {
    const to = Math.min(row.to, from + row.phases[name]);
    if (to > from) pieces.push({ name, x: scale.place(from), width: scale.place(to) - scale.place(from) });
    from = to;
  }
  return (
    <>
      <rect className={css["body"]} {...whole} />
      {pieces.map((piece) => (
        <rect
          key={piece.name}
          className={css[piece.name]}
          x={`${piece.x}%`}
          width={`${piece.width}%`}
          y="50%"
          height={9}
          transform="translate(0 -4.5)"
        />
      ))}
    </>
  );
}

/** The patterns that bars refer to, once in a page. */
export function Hatches() {
  const pattern = { width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" } as const;
  return (
    <svg className={css["sprite"]} aria-hidden="true" focusable="false">
      <defs>
        <pattern id="hatch" {...pattern}>
          <rect className={css["hatchGround"]} width="5" height="5" />
          <path className={css["hatchLine"]} d="M0 0v5" />
        </pattern>
        <pattern id="hatch-waiting" {...pattern}>
          <rect className={css["hatchWaitingGround"]} width="5" height="5" />
          <path className={css["hatchWaitingLine"]} d="M0 0v5" />
        </pattern>
      </defs>
    </svg>
  );
}
