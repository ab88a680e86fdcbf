import type { UseQueryResult } from "@tanstack/react-query";
import { defined } from "@yagate/lib/objects/defined";
import type { ReactNode } from "react";
import { ErrorBlock, Skeleton } from "./blocks.tsx";

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** What is loaded, for screen readers. */
  readonly label: string;
  /** The height of what stands in its place until then, so that little moves; 8 lines by default. */
  readonly lines?: number;
  /** Returns what stands in place of empty data. */
  readonly empty?: (data: Data) => ReactNode | undefined;
  readonly children: (data: Data) => ReactNode;
}

/** Shows what a query read, or the state in which it is: loading, an error, or empty. */
export function Loaded<Data>({ query, label, lines, empty, children }: LoadedProps<Data>) {
  if (query.isError && query.data === undefined) {
    return <ErrorBlock error={query.error} onRetry={() => query.refetch()} />;
  }
  if (query.data === undefined) return <Skeleton label={label} {...defined({ lines })} />;
  // Older data is better than none, beside the reason why it is old.
  const stale = query.isError && <ErrorBlock error={query.error} onRetry={() => query.refetch()} />;
  const nothing = empty?.(query.data);
  if (nothing !== undefined) return nothing;
  return (
    <>
      {stale}
      <div data-state="ready">{children(query.data)}</div>
    </>
  );
}
