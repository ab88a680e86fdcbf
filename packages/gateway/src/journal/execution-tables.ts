/** Tables whose rows belong to the execution that their column `execution_id` names, and go with it. */
export const EXECUTION_TABLES = ["execution_requests", "appends"] as const;
