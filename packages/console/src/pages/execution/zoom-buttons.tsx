import controls from "../../parts/controls.module.css";
import { HiddenText } from "../../parts/hidden-text.tsx";
import { formatDuration } from "../../parts/numbers.ts";
import type { TimeScale } from "./time-scale.ts";

interface ZoomButtonsProps {
  readonly scale: TimeScale;
  readonly isZoomed: boolean;
  /** Undefined if no row is selected. */
  readonly zoomToRow: (() => void) | undefined;
  zoomBy(times: number): void;
  panBy(part: number): void;
  fit(): void;
}

/** How far a step zooms and moves. */
export const STEP = { in: 0.5, out: 2, earlier: -0.5, later: 0.5 } as const;

/** Zooms the timeline, and moves what is shown. */
export function ZoomButtons({ scale, isZoomed, zoomToRow, zoomBy, panBy, fit }: ZoomButtonsProps) {
  return (
    <>
      <div className={controls["segments"]} role="group" aria-label="Zoom">
        {isZoomed && (
          <button type="button" aria-label="Earlier" aria-keyshortcuts="[" onClick={() => panBy(STEP.earlier)}>
            ‹
          </button>
        )}
        <button
          type="button"
          aria-label="Zoom out"
          aria-keyshortcuts="-"
          disabled={!isZoomed}
          onClick={() => zoomBy(STEP.out)}
        >
          −
        </button>
        <button type="button" aria-keyshortcuts="0" disabled={!isZoomed} onClick={fit}>
          Fit
        </button>
        <button type="button" aria-label="Zoom in" aria-keyshortcuts="+" onClick={() => zoomBy(STEP.in)}>
          +
        </button>
        {zoomToRow !== undefined && (
          <button type="button" aria-keyshortcuts="z" onClick={zoomToRow}>
            Row
            <HiddenText> : zoom to it</HiddenText>
          </button>
        )}
        {isZoomed && (
          <button type="button" aria-label="Later" aria-keyshortcuts="]" onClick={() => panBy(STEP.later)}>
            ›
          </button>
        )}
      </div>
      <HiddenText>
        <span role="status">
          {isZoomed &&
            `Shows ${formatDuration(scale.start - scale.origin)} to ${formatDuration(scale.end - scale.origin)}`}
        </span>
      </HiddenText>
    </>
  );
}
