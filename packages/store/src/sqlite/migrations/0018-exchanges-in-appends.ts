/**
 * The messages of attempts in the row of the append that ends the attempts, with the time of that append. Older rows
 * keep theirs in `exchanges`, which from now on only receives responses that arrive after the end of an execution.
 */
export const exchangesInAppends0018 = `
  ALTER TABLE appends ADD COLUMN exchanged_at INTEGER;
  ALTER TABLE appends ADD COLUMN exchanges TEXT;
  CREATE INDEX appends_exchanged ON appends (exchanged_at) WHERE exchanged_at IS NOT NULL;
`;
