import {
  type InputAnswers,
  type InputRequest,
  inputAnswersSchema,
  jsonObjectSchema,
  MAX_INPUT_ROUNDS,
  YagateError,
} from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { readStandardInput } from "../signing-secrets/read-standard-input.ts";

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
  const answered = await inputRequests.answer(toolCallId, { round: roundOf(options.round) ?? request.round, answers });
  const { round, tool } = answered;
  invocation.output.done(answered, `${toolCallId} was answered (round ${round}): ${tool.name}.`);
}

async function answersOf(
  way: Way,
  { content = "", answers = "" }: AnswerInputCommandOptions,
  { questions }: Pick<InputRequest, "questions">,
): Promise<InputAnswers> {
  if (way === "answers") {
    const parsed = inputAnswersSchema.safeParse(await readJson("answers", answers));
    if (parsed.success) return parsed.data;
    const example = `--answers '{ "colour": { "action": "accept", "content": { "colour": "green" } } }'`;
    const hint = `name the action of each question: ${example}`;
    throw new YagateError("INVALID_REQUEST", "expected --answers to be an object with one answer per question", {
      hint,
    });
  }
  if (way !== "content") return Object.fromEntries(questions.map(({ key }) => [key, { action: way }]));
  const [question, ...others] = questions;
  if (question === undefined || others.length > 0) {
    throw new YagateError("INVALID_REQUEST", `expected --answers, because the tool asks ${questions.length} questions`);
  }
  const fields = jsonObjectSchema.safeParse(await readJson("content", content));
  if (!fields.success) throw notJson("content");
  return { [question.key]: { action: "accept", content: fields.data } };
}

async function readJson(option: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text === "-" ? new TextDecoder().decode(await readStandardInput()) : text);
  } catch {
    throw notJson(option);
  }
}

function notJson(option: string): YagateError {
  const hint = `in a shell, put it in quotes: --${option} '{ "colour": "green" }'`;
  return new YagateError("INVALID_REQUEST", `expected --${option} to be a JSON object`, { hint });
}

function roundOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const round = Number(text);
  if (Number.isInteger(round) && round >= 1 && round <= MAX_INPUT_ROUNDS) return round;
  throw new YagateError("INVALID_REQUEST", `expected --round to be a whole number from 1 to ${MAX_INPUT_ROUNDS}`);
}
