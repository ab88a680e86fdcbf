/** Tables whose rows belong to the execution that their column `execution_id` names, and go with it. */
export const EXECUTION_TABLES = ["execution_requests", "appends", "execution_texts"] as const;

/** Tables of what an execution's events name by an id, and the column that holds it: they go with it, too. */
export const NAMED_TABLES = [
  { table: "exchanges", column: "attempt_id" },
  { table: "call_ids", column: "id" },
  { table: "approvals", column: "id" },
] as const;

/** The fields of events that name rows of these tables. */
export const NAMING_FIELDS = ["toolCallId", "attemptId", "approvalId"] as const;
