import type { MetricPoint } from "./port.ts";

interface WorkspacePoint extends MetricPoint {
  readonly workspaceId: string;
  value: number;
}

/** Points of several executions, added up, so that each row is written once. */
export class PointSums {
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
