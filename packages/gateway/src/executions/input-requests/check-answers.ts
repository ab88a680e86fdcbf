import { type FieldError, type InputAnswer, type InputAnswers, type InputRequest, schemaHash } from "@yagate/protocol";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";

/** Returns every fault of the answers to the questions of a round; empty if they have no faults. */
export async function checkAnswers(
  questions: InputRequest["questions"],
  answers: InputAnswers,
  validator: ArgumentValidator,
): Promise<readonly FieldError[]> {
  const faults: FieldError[] = [];
  for (const question of questions) {
    const path = `answers.${question.key}`;
    const answer = Object.hasOwn(answers, question.key) ? answers[question.key] : undefined;
    if (answer === undefined) faults.push({ path, code: "MISSING", message: "expected an answer to this question" });
    else faults.push(...(await checkAnswer(question, answer, path, validator)));
  }
  const known = new Set(questions.map(({ key }) => key));
  for (const key of Object.keys(answers)) {
    if (known.has(key)) continue;
    faults.push({ path: `answers.${key}`, code: "UNKNOWN", message: "expected the key of one of the questions" });
  }
  return faults;
}

async function checkAnswer(
  { mode, schema }: InputRequest["questions"][number],
  answer: InputAnswer,
  path: string,
  validator: ArgumentValidator,
): Promise<readonly FieldError[]> {
  if (answer.action !== "accept") return [];
  const { content } = answer;
  const at = `${path}.content`;
  if (mode !== "form" || schema === undefined) {
    const message = "expected no content, because the question only asks to open a page";
    return content === undefined ? [] : [{ path: at, code: "UNKNOWN", message }];
  }
  if (content === undefined) return [{ path: at, code: "MISSING", message: "expected the fields of the form" }];
  const check = validator.validate(await schemaHash(schema), schema, content);
  if (check.valid) return [];
  return check.errors.map((error) => ({
    path: error.path === "" ? at : `${at}.${error.path}`,
    code: error.code,
    message: error.message,
  }));
}
