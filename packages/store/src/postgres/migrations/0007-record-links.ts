/** What chains each append to the one before it, and seals it; null for those from before. */
export const recordLinks0007 = `
  ALTER TABLE appends ADD COLUMN link text;
`;
