import type { ReceivedEvent } from "@yagate/protocol";
import { useEffect, useMemo, useState } from "react";
import { EmptyBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { formatCount } from "../../parts/numbers.ts";
import { useKeys } from "../../shell/keys.ts";
import { RowPanel } from "./row-panel.tsx";
import { createTimeScale } from "./time-scale.ts";
import { formatWindow, parseWindow, type TimeWindow } from "./time-window.ts";
import css from "./timeline.module.css";
import { buildTimeline, type TimelineRow } from "./timeline.ts";
import { TimelineView } from "./timeline-view.tsx";
import { panBy, windowOf, zoomBy } from "./zoom.ts";
import { STEP, ZoomButtons } from "./zoom-buttons.tsx";

/** Which rows are shown. */
export type RowFilter = "all" | "failed" | "slow";

const SLOW_MS = 1_000;
const TICK_MS = 1_000;

interface TimelineTabProps {
  readonly events: readonly ReceivedEvent[];
  readonly hasEnded: boolean;
  readonly filter: RowFilter;
  readonly selected: string | undefined;
  /** The part of the time that is shown, as the address has it: `1200-5600`, in ms from the start. */
  readonly zoom: string | undefined;
  /** The number of turns at the start that are copied from another execution; 0 by default. */
  readonly copiedTurns?: number;
  onChange(change: {
    readonly show?: string | undefined;
    readonly row?: string | undefined;
    readonly zoom?: string | undefined;
  }): void;
}

const isFailed = ({ kind }: TimelineRow) => kind === "failed" || kind === "unknown" || kind === "denied";
const isSlow = ({ from, to, type }: TimelineRow, now: number) => type !== "note" && (to ?? now) - from > SLOW_MS;

/** Keeps the rows that match, with those above them. */
function filterRows(rows: readonly TimelineRow[], isWanted: (row: TimelineRow) => boolean): readonly TimelineRow[] {
  const kept = new Set<TimelineRow>();
  const above: TimelineRow[] = [];
  for (const row of rows) {
    above[row.level - 1] = row;
    if (isWanted(row)) for (const each of above.slice(0, row.level)) kept.add(each);
  }
  return rows.filter((row) => kept.has(row));
}

/** Leaves out what is below folded rows. */
function unfold(rows: readonly TimelineRow[], folded: ReadonlySet<string>): readonly TimelineRow[] {
  let hiddenBelow = Number.POSITIVE_INFINITY;
  return rows.filter((row) => {
    if (row.level > hiddenBelow) return false;
    hiddenBelow = folded.has(row.key) ? row.level : Number.POSITIVE_INFINITY;
    return true;
  });
}

/** The timeline with its filters, and the panel of the selected row. */
export function TimelineTab({ events, hasEnded, filter, selected, zoom, copiedTurns = 0, onChange }: TimelineTabProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (hasEnded) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [hasEnded]);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(() => buildTimeline(events, copiedTurns), [events, copiedTurns]);
  const whole = useMemo(() => createTimeScale(all, now), [all, now]);
  const shown = parseWindow(zoom, whole.origin);
  const isZoomed = shown !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the window follows from the text and the start.
  const scale = useMemo(() => (isZoomed ? createTimeScale(all, now, shown) : whole), [all, now, zoom, whole]);
  const failed = useMemo(() => all.filter(isFailed).length, [all]);
  const slow = useMemo(() => all.filter((row) => isSlow(row, now)).length, [all, now]);
  const wanted = useMemo(() => {
    if (filter === "failed") return filterRows(all, isFailed);
    if (filter === "slow") return filterRows(all, (row) => isSlow(row, now));
    return all;
  }, [all, filter, now]);
  const rows = useMemo(() => unfold(wanted, folded), [wanted, folded]);
  const at = rows.findIndex(({ key }) => key === selected);
  const select = (key: string | undefined) => onChange({ row: key });
  const focusSelected = () => requestAnimationFrame(() => document.getElementById(`row-${selected}`)?.focus());
  const move = (step: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + step))];
    if (next === undefined) return;
    select(next.key);
    requestAnimationFrame(() => document.getElementById(`row-${next.key}`)?.focus());
  };
  const [isFollowing, setFollowing] = useState(false);
  const drawn = rows.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows move the end.
  useEffect(() => {
    if (isFollowing && !hasEnded) scrollTo(0, document.documentElement.scrollHeight);
  }, [isFollowing, hasEnded, drawn]);
  const row = all.find(({ key }) => key === selected);
  const span = { from: whole.start, to: whole.end };
  const show = (window: TimeWindow | undefined) =>
    onChange({ zoom: window === undefined ? undefined : formatWindow(window, span) });
  const middle = row === undefined ? undefined : (row.from + (row.to ?? now)) / 2;
  const zooms = {
    zoomBy: (times: number) => show(zoomBy(whole, shown ?? span, times, middle)),
    panBy: (part: number) => show(panBy(whole, shown ?? span, part)),
    zoomToRow: row === undefined ? undefined : () => show(windowOf(span, row.from, row.to ?? now)),
    fit: () => show(undefined),
  };
  useKeys({
    "+": () => zooms.zoomBy(STEP.in),
    "=": () => zooms.zoomBy(STEP.in),
    "-": () => zooms.zoomBy(STEP.out),
    "0": zooms.fit,
    z: () => zooms.zoomToRow?.(),
    "[": () => zooms.panBy(STEP.earlier),
    "]": () => zooms.panBy(STEP.later),
    j: () => move(1),
    k: () => move(-1),
    f: () => onChange({ show: filter === "failed" ? undefined : "failed" }),
    l: () => setFollowing(!isFollowing),
    Escape: () => {
      const isInPanel = document.activeElement?.closest("#row-panel") !== null && selected !== undefined;
      if (isInPanel) focusSelected();
      else select(undefined);
    },
  });
  const fold = (key: string, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(key);
    else next.delete(key);
    setFolded(next);
  };
  const foldTo = (level: number) =>
    setFolded(new Set(all.filter((row) => row.level >= level && row.level < 3).map(({ key }) => key)));
  const filters = [
    ["all", "All", undefined],
    ["failed", "Failed", failed],
    ["slow", "Over 1 s", slow],
  ] as const;
  return (
    <div className={row === undefined ? undefined : css["split"]}>
      <div>
        <div className={css["bar"]}>
          <div className={controls["segments"]} role="group" aria-label="Rows">
            {filters.map(([name, word, count]) => (
              <button
                key={name}
                type="button"
                aria-pressed={filter === name}
                onClick={() => onChange({ show: name === "all" ? undefined : name })}
              >
                {word} {count !== undefined && <span>{formatCount(count)}</span>}
              </button>
            ))}
          </div>
          <div className={controls["segments"]} role="group" aria-label="Levels">
            {[1, 2, 3].map((level) => (
              <button key={level} type="button" onClick={() => foldTo(level)} aria-label={`Show ${level} levels`}>
                {level}
              </button>
            ))}
          </div>
          {all.length > 0 && (
            <div className={css["barEnd"]}>
              <ZoomButtons scale={scale} isZoomed={isZoomed} {...zooms} />
            </div>
          )}
          {!hasEnded && (
            <Button aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
              {isFollowing ? "Following" : "Follow"} <kbd>l</kbd>
            </Button>
          )}
        </div>
        {rows.length === 0 ? (
          <EmptyBlock
            title={all.length === 0 ? "Nothing has happened yet" : "No row matches"}
            action={
              all.length === 0 ? undefined : <Button onClick={() => onChange({ show: undefined })}>Show all</Button>
            }
          >
            {all.length === 0
              ? "The first model turn appears here as soon as it starts."
              : "Nothing in this execution failed, or took longer than a second."}
          </EmptyBlock>
        ) : (
          <TimelineView
            rows={rows}
            scale={scale}
            folded={folded}
            selected={selected}
            onSelect={select}
            onFold={fold}
            onZoom={show}
            onOpen={(key) => {
              select(key);
              requestAnimationFrame(() => document.getElementById("row-panel")?.focus());
            }}
          />
        )}
      </div>
      {row !== undefined && <RowPanel row={row} events={events} onClose={() => select(undefined)} />}
    </div>
  );
}
