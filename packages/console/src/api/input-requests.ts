import type { AnswerInput, InputRequest } from "@yagate/protocol";
import { listOf } from "./pages.ts";
import { request } from "./request.ts";

const MOST = 200;

/** The questions of tools that wait for a person, the oldest first. */
export const pendingQuestions = async (signal?: AbortSignal) =>
  (await listOf<InputRequest>("v1/input-requests", { status: "pending", limit: MOST }, signal)).toSorted(
    (left, right) => left.requestedAt.localeCompare(right.requestedAt),
  );

export const answerQuestions = (toolCallId: string, body: AnswerInput) =>
  request<InputRequest>(`v1/tool-calls/${toolCallId}/input`, { method: "POST", body });
