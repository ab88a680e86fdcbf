import { useWindowVirtualizer } from "@tanstack/react-virtual";
import type { ReceivedEvent } from "@yagate/protocol";
import { useLayoutEffect, useRef, useState } from "react";
import { Clock } from "../../parts/clock.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import text from "../../parts/text.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import css from "./execution.module.css";

const ROW_PX = 33;

/** The log of the execution, entry by entry. Only those near the window are drawn. */
export function EventsTab({ events }: { readonly events: readonly ReceivedEvent[] }) {
  const list = useRef<HTMLOListElement>(null);
  const [offset, setOffset] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  useLayoutEffect(() => setOffset(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: events.length,
    estimateSize: () => ROW_PX,
    overscan: 10,
    scrollMargin: offset,
  });
  const toggle = (seq: number, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(seq);
    else next.delete(seq);
    setOpen(next);
  };
  return (
    <ol ref={list} className={css["events"]} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const event = events[index];
        if (event === undefined) return null;
        const { seq, type, at, executionId: _id, ...rest } = event;
        return (
          <li
            key={seq}
            data-index={index}
            ref={virtual.measureElement}
            style={{ position: "absolute", insetInline: 0, transform: `translateY(${start - offset}px)` }}
          >
            <details open={open.has(seq)} onToggle={({ currentTarget }) => toggle(seq, currentTarget.open)}>
              <summary>
                <span className={text["quiet"]}>{seq}</span>
                <code>{type}</code>
                <span className={`${text["cut"]} ${text["quiet"]}`}>{toLine(JSON.stringify(rest), 200)}</span>
                <Clock at={at} />
              </summary>
              {open.has(seq) && (
                <div>
                  <JsonBlock label={`Event ${seq}`} value={event} />
                </div>
              )}
            </details>
          </li>
        );
      })}
    </ol>
  );
}
