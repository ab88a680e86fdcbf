/** What came of an attempt after its execution had ended, where no event can say it any more. */
export const lateAnswers0004 = `
  ALTER TABLE exchanges ADD COLUMN late_answer text;
`;
