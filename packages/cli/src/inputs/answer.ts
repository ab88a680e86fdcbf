import {
  type InputAnswers,
  type InputRequest,
  inputAnswersSchema,
  MAX_INPUT_ROUNDS,
  YagateError,
} from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { readJsonArgument } from "../read-text.ts";
import { wholeNumberOf } from "../whole-number.ts";

export interface AnswerInputCommandOptions {
  readonly round?: string;
  readonly content?: string;
  readonly answers?: string;
  readonly accept?: boolean;
  readonly decline?: boolean;
  readonly cancel?: boolean;
}

type Way = "content" | "answers" | "accept" | "decline" | "cancel";

const WAYS: readonly Way[] = ["content", "answers", "accept", "decline", "cancel"];
const EXAMPLE = `{ "colour": { "action": "accept", "content": { "colour": "green" } } }`;

/**
 * Answers the questions of a tool call.
 *
 * @throws YagateError `INVALID_REQUEST` unless exactly one option says how, and the errors of the gateway.
 */
export async function answerInput(
  invocation: Invocation,
  toolCallId: string,
  options: AnswerInputCommandOptions,
): Promise<void> {
  const ways = WAYS.filter((way) => options[way] !== undefined);
  const [way] = ways;
  if (way === undefined || ways.length > 1) {
    throw new YagateError("INVALID_REQUEST", `expected one of ${WAYS.map((name) => `--${name}`).join(", ")}`);
  }
  const { inputRequests } = await invocation.client();
  const request = await inputRequests.get(toolCallId);
  const answers = await answersOf(way, options, request);
  const round =
    options.round === undefined
      ? request.round
      : wholeNumberOf(options.round, "--round", { min: 1, max: MAX_INPUT_ROUNDS });
  const answered = await inputRequests.answer(toolCallId, { round, answers });
  const { tool } = answered;
  invocation.output.done(answered, `${toolCallId} was answered (round ${round}): ${tool.name}.`);
}

async function answersOf(
  way: Way,
  { content = "", answers = "" }: AnswerInputCommandOptions,
  { questions }: Pick<InputRequest, "questions">,
): Promise<InputAnswers> {
  if (way === "answers") {
    const parsed = inputAnswersSchema.safeParse(await readJsonArgument(answers, "--answers", EXAMPLE));
    if (parsed.success) return parsed.data;
    throw new YagateError("INVALID_REQUEST", "expected --answers to be an object with one answer per question", {
      hint: `name the action of each question: --answers '${EXAMPLE}'`,
    });
  }
  if (way !== "content") return Object.fromEntries(questions.map(({ key }) => [key, { action: way }]));
  const [question, ...others] = questions;
  if (question === undefined || others.length > 0) {
    throw new YagateError("INVALID_REQUEST", `expected --answers, because the tool asks ${questions.length} questions`);
  }
  const fields = await readJsonArgument(content, "--content", `{ "colour": "green" }`);
  return { [question.key]: { action: "accept", content: fields } };
}
