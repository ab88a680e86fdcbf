import { type PointerEvent, useState } from "react";
import { formatDuration } from "../../parts/numbers.ts";
import type { TimeScale } from "./time-scale.ts";
import type { TimeWindow } from "./time-window.ts";
import css from "./timeline.module.css";

/** A shorter movement of the pointer is a click, in percent of the width. */
const LEAST_DRAG = 1;
/** A gap that ends further right leaves no room for the time at the end. */
const END_ROOM = 80;

interface ScaleHeadProps {
  readonly scale: TimeScale;
  onZoom(window: TimeWindow | undefined): void;
}

/** The times above the bars. Dragging across them zooms in; a double click shows everything. The buttons do the same. */
export function ScaleHead({ scale, onZoom }: ScaleHeadProps) {
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const placeOf = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(100, Math.max(0, ((clientX - left) / width) * 100));
  };
  const end = () => {
    setDrag(undefined);
    if (drag === undefined || Math.abs(drag.to - drag.from) < LEAST_DRAG) return;
    const [left, right] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    onZoom({ from: scale.timeAt(left), to: scale.timeAt(right) });
  };
  const endsInGap = scale.gaps.some(({ x, width }) => x + width > END_ROOM);
  const startsInGap = scale.gaps.some(({ x }) => x === 0);
  return (
    <svg
      className={css["scale"]}
      aria-hidden="true"
      focusable="false"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = placeOf(event);
        setDrag({ from: at, to: at });
      }}
      onPointerMove={(event) => drag !== undefined && setDrag({ from: drag.from, to: placeOf(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrag(undefined)}
      onDoubleClick={() => onZoom(undefined)}
    >
      {!startsInGap && (
        <text className={css["scaleText"]} x="4" y="50%" dy="4">
          {scale.start === scale.origin ? "0 s" : formatDuration(scale.start - scale.origin)}
        </text>
      )}
      {scale.ticks.map(({ x, text }) => (
        <text key={x} className={css["scaleText"]} x={`${x}%`} y="50%" dx="4" dy="4">
          {text}
        </text>
      ))}
      {scale.gaps.map((gap) => (
        <g key={gap.from}>
          <rect className={css["gap"]} x={`${gap.x}%`} width={`${gap.width}%`} y="0" height="100%" />
          <text
            className={css["scaleText"]}
            x={gap.x === 0 ? "2" : `${gap.x + gap.width / 2}%`}
            y="50%"
            dy="4"
            textAnchor={gap.x === 0 ? "start" : "middle"}
          >
            {formatDuration(gap.to - gap.from)}
          </text>
        </g>
      ))}
      {!endsInGap && (
        <text className={css["scaleText"]} x="99%" y="50%" dy="4" textAnchor="end">
          {formatDuration(scale.end - scale.origin)}
        </text>
      )}
      {drag !== undefined && (
        <rect
          className={css["drag"]}
          x={`${Math.min(drag.from, drag.to)}%`}
          width={`${Math.abs(drag.to - drag.from)}%`}
          y="0"
          height="100%"
        />
      )}
    </svg>
  );
}
