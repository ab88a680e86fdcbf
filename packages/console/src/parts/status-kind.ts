/** A status: shape, word and colour always together. */
export type StatusKind =
  | "ok"
  | "running"
  | "queued"
  | "waiting"
  | "failed"
  | "denied"
  | "unknown"
  | "cancelled"
  | "limit";
