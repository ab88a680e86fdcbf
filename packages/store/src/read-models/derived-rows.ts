import type { UnitOfWork } from "../unit-of-work.ts";
import type { FoldedExecution, MetricPoint, ToolCallEntry } from "./port.ts";
import type { UnreadRows } from "./unread-execution.ts";

/** Up to which event an execution was read, and what its next read needs. */
export interface ReadPosition {
  readonly id: string;
  readonly seq: number;
  readonly state: string | null;
}

/** What one step writes. Each row is in it once. */
export interface DerivedRows {
  readonly positions: readonly ReadPosition[];
  readonly tools: readonly { readonly workspaceId: string; readonly tool: string; readonly executionId: string }[];
  readonly calls: readonly (ToolCallEntry & { readonly workspaceId: string; readonly executionId: string })[];
  readonly points: readonly (MetricPoint & { readonly workspaceId: string })[];
}

/** The statements that differ between databases: SQLite runs many small ones fastest, PostgreSQL few large ones. */
export interface ReadModelTables {
  /** Reads what the read models lack of executions. An execution that lacks nothing, or was deleted, is left out. */
  unread(ids: readonly string[]): UnitOfWork<readonly UnreadRows[]>;
  write(rows: DerivedRows): UnitOfWork<void>;
}

interface WorkspacePoint extends MetricPoint {
  readonly workspaceId: string;
  value: number;
}

/** Points of several executions, added up, so that each row is written once. */
class PointSums {
  readonly #points = new Map<string, WorkspacePoint>();

  add(workspaceId: string, points: readonly MetricPoint[]): void {
    for (const point of points) {
      // Only the label may contain spaces.
      const key = `${workspaceId} ${point.step} ${point.metric} ${point.at} ${point.bucket} ${point.label}`;
      const sum = this.#points.get(key);
      if (sum === undefined) this.#points.set(key, { ...point, workspaceId });
      else sum.value += point.value;
    }
  }

  /** In one order, so that two processes lock rows in the same order. */
  sorted(): readonly Readonly<WorkspacePoint>[] {
    return [...this.#points].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, point]) => point);
  }
}

/** Gathers the rows of a step's executions. */
export class RowGatherer {
  readonly #positions: ReadPosition[] = [];
  readonly #tools: DerivedRows["tools"][number][] = [];
  readonly #calls = new Map<string, DerivedRows["calls"][number]>();
  readonly #points = new PointSums();

  add({ id, workspaceId, upTo }: UnreadRows, { state, tools, calls, points }: FoldedExecution): void {
    this.#positions.push({ id, seq: upTo, state });
    for (const tool of tools) this.#tools.push({ workspaceId, tool, executionId: id });
    for (const call of calls) this.#calls.set(call.id, { ...call, workspaceId, executionId: id });
    this.#points.add(workspaceId, points);
  }

  /** Leaves the unread events of an execution out. */
  skip({ id, upTo, state }: UnreadRows): void {
    this.#positions.push({ id, seq: upTo, state });
  }

  get rows(): DerivedRows {
    return {
      positions: this.#positions,
      tools: this.#tools,
      calls: [...this.#calls.values()],
      points: this.#points.sorted(),
    };
  }
}
