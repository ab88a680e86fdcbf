/** An attack with write access to the database on the record of `exec_a`; `exec_b` has the same events. */
export interface Attack {
  /** Statements that SQLite and PostgreSQL both understand. */
  readonly statements: readonly string[];
  /** The entry that the receipt names. */
  readonly seq: number;
  readonly reason: RegExp;
}

const A = "execution_id = 'exec_a'";
const row = (lastSeq: number) => `${A} AND last_seq = ${lastSeq}`;
const swapIn = (column: string, from: string, to: string, where: string) =>
  `UPDATE appends SET ${column} = replace(${column}, '${from}', '${to}') WHERE ${where}`;

/** By what was done. The story has 23 entries, in the appends 1–9, 10–12, 13, 14–16, 17 and 18–23. */
export const ATTACKS: readonly (readonly [name: string, attack: Attack])[] = [
  [
    "a character of an argument",
    { statements: [swapIn("entries", '"usd":20', '"usd":90', row(9))], seq: 3, reason: /entry 3 was changed/ },
  ],
  [
    "a character of a result",
    { statements: [swapIn("entries", "3 days", "0 days", row(12))], seq: 11, reason: /entry 11 was changed/ },
  ],
  [
    "a moment",
    {
      statements: [swapIn("entries", "06:00:13.000", "06:00:12.999", row(13))],
      seq: 13,
      reason: /entry 13 was changed/,
    },
  ],
  [
    "who answered a fallback",
    { statements: [swapIn("entries", '"via":"fallback"', '"via":"handler"', row(23))], seq: 18, reason: /entry 18/ },
  ],
  [
    "the model's own message, which is never shown",
    { statements: [swapIn("entries", "look first", "look later", row(9))], seq: 3, reason: /entry 3 was changed/ },
  ],
  [
    "white space only",
    { statements: [swapIn("entries", '{"event":', '{"event": ', row(13))], seq: 13, reason: /can't be read/ },
  ],
  [
    "a text into what is no JSON",
    { statements: [`UPDATE appends SET entries = 'x' WHERE ${row(16)}`], seq: 14, reason: /can't be read/ },
  ],
  [
    "an entry out of an append",
    { statements: [`UPDATE appends SET entries = '[]' WHERE ${row(17)}`], seq: 17, reason: /original ones|missing/ },
  ],
  ["an append away", { statements: [`DELETE FROM appends WHERE ${row(13)}`], seq: 13, reason: /do not follow/ }],
  [
    "the last append away",
    { statements: [`DELETE FROM appends WHERE ${row(23)}`], seq: 18, reason: /ends at entry 17 of 23/ },
  ],
  [
    "the end away, and the row's own number with it",
    {
      statements: [`DELETE FROM appends WHERE ${row(23)}`, "UPDATE executions SET last_seq = 17 WHERE id = 'exec_a'"],
      seq: 18,
      reason: /listed as completed/,
    },
  ],
  [
    "two appends into each other's place",
    {
      statements: [
        `UPDATE appends SET last_seq = 9001 WHERE ${row(13)}`,
        `UPDATE appends SET last_seq = 13 WHERE ${row(17)}`,
        `UPDATE appends SET last_seq = 17 WHERE ${row(9001)}`,
      ],
      seq: 13,
      reason: /do not follow/,
    },
  ],
  [
    "an append for another execution's",
    {
      statements: [
        `UPDATE appends SET entries = (SELECT entries FROM appends WHERE execution_id = 'exec_b' AND last_seq = 13), link = (SELECT link FROM appends WHERE execution_id = 'exec_b' AND last_seq = 13) WHERE ${row(13)}`,
      ],
      seq: 13,
      reason: /do not follow/,
    },
  ],
  [
    "all of it for another execution's",
    {
      statements: [`DELETE FROM appends WHERE ${A}`, `UPDATE appends SET ${A} WHERE execution_id = 'exec_b'`],
      seq: 0,
      reason: /the caller, the request/,
    },
  ],
  [
    "a seal for another execution's",
    {
      statements: [
        `UPDATE appends SET link = (SELECT link FROM appends WHERE execution_id = 'exec_b' AND last_seq = 23) WHERE ${row(23)}`,
      ],
      seq: 18,
      reason: /do not follow/,
    },
  ],
  ["a seal away", { statements: [`UPDATE appends SET link = NULL WHERE ${row(16)}`], seq: 14, reason: /have no seal/ }],
  [
    "a seal into a text",
    { statements: [`UPDATE appends SET link = 'sealed' WHERE ${row(16)}`], seq: 14, reason: /seal .* was changed/ },
  ],
  [
    "who asked",
    {
      statements: ["UPDATE executions SET started_by_key_id = 'key_other' WHERE id = 'exec_a'"],
      seq: 0,
      reason: /the caller, the request/,
    },
  ],
  [
    "the version of the agent",
    {
      statements: ["UPDATE executions SET agent_version = 2 WHERE id = 'exec_a'"],
      seq: 0,
      reason: /the caller, the request/,
    },
  ],
  [
    "when it began",
    {
      statements: ["UPDATE executions SET created_at = created_at - 1 WHERE id = 'exec_a'"],
      seq: 0,
      reason: /the caller, the request/,
    },
  ],
  [
    "the caller of the request",
    {
      statements: [
        "UPDATE execution_requests SET request = replace(request, 'u-1', 'u-2') WHERE execution_id = 'exec_a'",
      ],
      seq: 0,
      reason: /the caller, the request/,
    },
  ],
  [
    "the agent's definition",
    {
      statements: [
        "UPDATE agent_versions SET definition = replace(definition, 'Support', 'Sales') WHERE agent_id = 'agt_support'",
      ],
      seq: 0,
      reason: /the caller, the request/,
    },
  ],
  [
    "the answer that lists show",
    {
      statements: ["UPDATE executions SET summary = replace(summary, '3 days late', 'on time') WHERE id = 'exec_a'"],
      seq: 23,
      reason: /outcome in lists/,
    },
  ],
  [
    "the status that lists show",
    {
      statements: ["UPDATE executions SET status = 'failed' WHERE id = 'exec_a'"],
      seq: 23,
      reason: /outcome in lists/,
    },
  ],
];
