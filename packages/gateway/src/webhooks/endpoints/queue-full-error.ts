/** An attempt found no concurrency slot of its endpoint, and no room among those that wait for one. Nothing was sent. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}
