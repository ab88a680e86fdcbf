/** The link that chains each append to the previous one and seals it; null for appends by earlier versions. */
export const recordLinks0007 = `
  ALTER TABLE appends ADD COLUMN link TEXT;
`;
