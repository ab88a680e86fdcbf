import type { Execution } from "@yagate/protocol";
import { useCallback, useState } from "react";
import { getExecution } from "../../api/execution.ts";
import { holdFresh } from "./fresh-rows.ts";

interface Held {
  readonly view: string;
  readonly latest: readonly Execution[];
  readonly rows: readonly Execution[];
  readonly freshCount: number;
}

/**
 * The rows that the reader sees: those of the first reading, kept up to date, until the reader asks for the new ones.
 *
 * @param view - identifies the list; another list starts with all of its rows.
 * @param latest - the newest page of this list; undefined while it is being read.
 */
export function useShownRows(view: string, latest: readonly Execution[] | undefined) {
  const [held, setHeld] = useState<Held>();
  const [isFollowing, setFollowing] = useState(false);
  if (latest !== undefined && (held?.view !== view || held.latest !== latest)) {
    const isHolding = held?.view === view && !isFollowing;
    setHeld({ view, latest, ...(isHolding ? holdFresh(held.rows, latest) : { rows: latest, freshCount: 0 }) });
  }
  const showFresh = () => held !== undefined && setHeld({ ...held, rows: held.latest, freshCount: 0 });
  const current = held?.view === view ? held : undefined;
  /** Reads shown rows that the newest page no longer has. */
  const refresh = useCallback(
    async (ids: ReadonlySet<string>) => {
      const onPage = new Set(current?.latest.map(({ id }) => id));
      const behind = (current?.rows ?? []).filter(({ id }) => ids.has(id) && !onPage.has(id));
      const read = await Promise.allSettled(behind.map(({ id }) => getExecution(id)));
      const found = new Map(read.flatMap((each) => (each.status === "fulfilled" ? [[each.value.id, each.value]] : [])));
      if (found.size === 0) return;
      setHeld((before) => before && { ...before, rows: before.rows.map((row) => found.get(row.id) ?? row) });
    },
    [current],
  );
  return {
    rows: current?.rows ?? [],
    freshCount: current?.freshCount ?? 0,
    isFollowing,
    showFresh,
    refresh,
    toggleFollowing() {
      setFollowing(!isFollowing);
      showFresh();
    },
  };
}
