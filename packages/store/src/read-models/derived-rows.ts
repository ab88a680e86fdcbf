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

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Has no two points with the same result. */
const orderOf = ({ workspaceId, step, metric, at, bucket, label }: WorkspacePoint) =>
  `${workspaceId} ${step} ${metric} ${at} ${bucket} ${label}`;

/**
 * Points of several executions, added up, so that each row is written once. A series has few points in one step, so
 * looking through them takes a tenth of the time that a text of all fields as the key of a map takes.
 */
class PointSums {
  readonly #workspaces = new Map<string, Map<string, Map<string, WorkspacePoint[]>>>();

  add(workspaceId: string, points: readonly MetricPoint[]): void {
    const metrics = entryOf(this.#workspaces, workspaceId, () => new Map());
    for (const point of points) {
      const labels = entryOf(metrics, point.metric, () => new Map<string, WorkspacePoint[]>());
      const series = entryOf(labels, point.label, (): WorkspacePoint[] => []);
      const sum = series.find(
        ({ bucket, at, step }) => bucket === point.bucket && at === point.at && step === point.step,
      );
      if (sum === undefined) series.push({ ...point, workspaceId });
      else sum.value += point.value;
    }
  }

  /** In one order, so that two processes lock rows in the same order. */
  sorted(): readonly Readonly<WorkspacePoint>[] {
    const points: (readonly [order: string, point: WorkspacePoint])[] = [];
    for (const metrics of this.#workspaces.values()) {
      for (const labels of metrics.values()) {
        for (const series of labels.values()) for (const point of series) points.push([orderOf(point), point]);
      }
    }
    return points.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, point]) => point);
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
