import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { classes } from "../../parts/classes.ts";
import { HiddenText } from "../../parts/hidden-text.tsx";
import { Icon } from "../../parts/icon.tsx";
import { formatDuration, NONE } from "../../parts/numbers.ts";
import { Hatches, RowBar, sideOf } from "./row-bar.tsx";
import { RowText } from "./row-text.tsx";
import { ScaleHead } from "./scale-head.tsx";
import type { TimeScale } from "./time-scale.ts";
import type { TimeWindow } from "./time-window.ts";
import css from "./timeline.module.css";
import type { TimelineRow } from "./timeline.ts";

interface TimelineViewProps {
  readonly rows: readonly TimelineRow[];
  readonly scale: TimeScale;
  readonly folded: ReadonlySet<string>;
  readonly selected: string | undefined;
  onSelect(key: string): void;
  onFold(key: string, isFolded: boolean): void;
  onOpen(key: string): void;
  /** Shows a part of the time; all of it without one. */
  onZoom(window: TimeWindow | undefined): void;
}

const NARROW = "(max-width: 720px)";

/** The rows as a grid with a tree. Only those near the window are drawn. */
export function TimelineView({ rows, scale, folded, selected, onSelect, onFold, onOpen, onZoom }: TimelineViewProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const rowHeight = useRowHeight();
  useLayoutEffect(() => setOffset(grid.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: offset,
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  useLayoutEffect(() => {
    if (rowHeight > 0) virtual.measure();
  }, [rowHeight, virtual]);
  const at = rows.findIndex(({ key }) => key === selected);
  const move = (to: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (next === undefined) return;
    onSelect(next.key);
    virtual.scrollToIndex(rows.indexOf(next), { align: "auto" });
    requestAnimationFrame(() => document.getElementById(`row-${next.key}`)?.focus({ preventScroll: true }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => row !== undefined && (folded.has(row.key) ? onFold(row.key, false) : move(at + 1)),
      ArrowLeft: () =>
        row !== undefined && (isFoldable(rows, at, folded) ? onFold(row.key, true) : move(parentOf(rows, at))),
      Enter: () => row !== undefined && onOpen(row.key),
    };
    const act = moves[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <div className={css["sheet"]}>
      <Hatches />
      <div role="treegrid" aria-label="Timeline" aria-rowcount={rows.length + 1} onKeyDown={onKeyDown} tabIndex={-1}>
        <div className={classes(css["row"], css["head"])} role="row" aria-rowindex={1}>
          <span role="columnheader" className={css["step"]}>
            Step
          </span>
          <span role="columnheader" className={css["chart"]}>
            <HiddenText>Time</HiddenText>
            <ScaleHead scale={scale} onZoom={onZoom} />
          </span>
          <span role="columnheader" className={css["number"]}>
            Took
          </span>
        </div>
        <div ref={grid} role="rowgroup" className={css["rows"]} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            const isFolded = folded.has(row.key);
            const isOpenable = isFolded || isFoldable(rows, item.index, folded);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys.
              <div
                key={row.key}
                id={`row-${row.key}`}
                role="row"
                aria-level={row.level}
                aria-rowindex={item.index + 2}
                aria-selected={row.key === selected}
                aria-expanded={isOpenable ? !isFolded : undefined}
                tabIndex={row.key === selected || (at === -1 && item.index === 0) ? 0 : -1}
                className={classes(css["row"], css["placed"], row.type === "turn" && css["turn"])}
                style={{ transform: `translateY(${item.start - virtual.options.scrollMargin}px)` }}
                onClick={() => onSelect(row.key)}
              >
                <span role="gridcell" className={stepClass(row)}>
                  <span className={classes(css["fold"], isOpenable && !isFolded && css["open"])} aria-hidden="true">
                    {isOpenable && (
                      // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the arrow keys fold, too.
                      <span
                        onClick={(event) => {
                          event.stopPropagation();
                          onFold(row.key, !isFolded);
                        }}
                      >
                        <Icon name="chevron" />
                      </span>
                    )}
                  </span>
                  <RowText row={row} />
                </span>
                <span role="gridcell" className={css["chart"]}>
                  <RowBar row={row} scale={scale} />
                  <HiddenText>
                    starts at {formatDuration(row.from - scale.origin)}
                    {sideOf(row, scale) !== undefined && `, ${sideOf(row, scale)} what is shown`}
                  </HiddenText>
                </span>
                <span role="gridcell" className={css["number"]}>
                  {row.type === "note" ? NONE : row.to === undefined ? "…" : formatDuration(row.to - row.from)}
                </span>
              </div>
            );
          })}
        </div>
      </div>
      <Legend />
    </div>
  );
}

function stepClass(row: TimelineRow): string {
  const bracket = row.bracket !== undefined ? [css["bracket"], css[row.bracket]] : [];
  return classes(css["step"], row.level > 1 && css[`level${row.level}`], ...bracket);
}

/** Whether a row has rows below it that are shown. */
function isFoldable(rows: readonly TimelineRow[], at: number, folded: ReadonlySet<string>): boolean {
  const row = rows[at];
  return row !== undefined && !folded.has(row.key) && (rows[at + 1]?.level ?? 0) > row.level;
}

function parentOf(rows: readonly TimelineRow[], at: number): number {
  const level = rows[at]?.level ?? 1;
  for (let index = at - 1; index >= 0; index -= 1) if ((rows[index]?.level ?? 1) < level) return index;
  return Math.max(0, at);
}

function useRowHeight(): number {
  const height = () => {
    const tight = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row-tight")) * 16;
    return matchMedia(NARROW).matches ? 46 : tight;
  };
  const [value, setValue] = useState(height);
  useLayoutEffect(() => {
    const query = matchMedia(NARROW);
    const listener = () => setValue(height());
    query.addEventListener("change", listener);
    return () => query.removeEventListener("change", listener);
  });
  return value;
}

const LEGEND = [
  ["model", "model"],
  ["dns", "DNS"],
  ["connect", "connect"],
  ["tls", "TLS"],
  ["firstByte", "first byte"],
  ["body", "body"],
  ["failed", "failed"],
  ["retry", "retry wait"],
  ["waiting", "waits"],
  ["unknown", "no answer"],
] as const;

function Legend() {
  return (
    <div className={css["legend"]} aria-hidden="true">
      {LEGEND.map(([name, word]) => (
        <span key={name}>
          <svg focusable="false">
            <rect className={css[name]} x="1" y="1" width="16" height="6" />
          </svg>
          {word}
        </span>
      ))}
    </div>
  );
}
