/** Examples of text bodies, by operation and media type. */
export const TEXT_EXAMPLES: Readonly<Record<string, string>> = {
  "getMetrics text/plain": "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 1795375171\n",
  "getReceipt text/plain": "The model called lookup_order.\n",
  "getArtifact text/plain": "First line of a long text\n",
  "listAuditEntries application/x-ndjson": '{"id":"aud_01m7yj864ke00brb1mkxjenfhm","action":"agent.updated"}\n',
};
