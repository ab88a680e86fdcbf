/** Outcomes of attempts that arrived after the end of their execution, when no event can record them. */
export const lateAnswers0004 = `
  ALTER TABLE exchanges ADD COLUMN late_answer text;
`;
