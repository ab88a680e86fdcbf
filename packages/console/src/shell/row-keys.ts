import { useKeys } from "./keys.ts";

interface RowKeysOptions {
  /** The keys of the rows, in their order. */
  readonly rows: readonly string[];
  readonly selected: string | undefined;
  select(row: string | undefined): void;
  open?(row: string): void;
}

/** Moves the focus to a row's link, so that screen readers read the row. */
function focusRow(id: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"] :is(a, button)`)?.focus(),
  );
}

/** `j` and `k` go through the rows, `Enter` opens the selected one, and `Esc` selects none. */
export function useRowKeys({ rows, selected, select, open }: RowKeysOptions): void {
  const move = (step: number) => {
    const at = selected === undefined ? -1 : rows.indexOf(selected);
    const next = rows[at === -1 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))];
    if (next === undefined) return;
    select(next);
    focusRow(next);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Escape: () => select(undefined),
    Enter: (event) => {
      // A link or a button that has the focus acts by itself.
      const isOnControl = event.target instanceof HTMLElement && event.target.closest("a, button, summary") !== null;
      if (selected !== undefined && !isOnControl) open?.(selected);
    },
  });
}
