import { type InputAnswers, type InputRequest, type InputRequestQuery, type Page, YagateError } from "@yagate/protocol";
import type { AuditSubject, ChangeRecorder, InputRequestRow, InputRequestStore } from "@yagate/store/port";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import type { Commands } from "../service/commands.ts";
import { checkAnswers } from "./check-answers.ts";

/** A person's answers to the questions of one round. */
export interface GivenAnswers {
  readonly workspaceId: string;
  /** Id of the API key that answers; null for the bootstrap key. */
  readonly keyId: string | null;
  readonly toolCallId: string;
  readonly round: number;
  readonly answers: InputAnswers;
  readonly recorder?: ChangeRecorder;
}

/**
 * The input requests of a workspace, as the API offers them. Every method sees one workspace only and throws `NOT_FOUND`
 * for a call that the workspace does not have, or that has asked nothing.
 */
export interface InputRequestService {
  list(workspaceId: string, query: InputRequestQuery): Promise<Page<InputRequest>>;
  /** Returns the latest round of a call. */
  get(workspaceId: string, toolCallId: string): Promise<InputRequest>;
  /**
   * Answers all questions of a round. The call then continues.
   *
   * @throws YagateError `CONFLICT` if the round was already answered or has ended, or if it is not the latest.
   * @throws {@link InvalidRequestError} if the answers do not match the questions.
   */
  answer(given: GivenAnswers): Promise<InputRequest>;
}

export interface InputRequestServiceOptions {
  readonly store: InputRequestStore;
  readonly commands: Commands;
  readonly argumentValidator: ArgumentValidator;
}

/** Describes input requests for the audit log, without the texts and the answers. */
const SUBJECT: AuditSubject<InputRequestRow> = {
  type: "input_request",
  idOf: ({ toolCallId }) => toolCallId,
  nameOf: ({ details }) => details.tool.name,
  show: ({ toolCallId, round, status, executionId, details: { agentId, agentVersion, tool, questions } }) => ({
    ...{ toolCallId, round, status, executionId, agentId, agentVersion, tool: tool.name },
    questions: questions.length,
  }),
};

export function createInputRequestService(options: InputRequestServiceOptions): InputRequestService {
  const { store, commands, argumentValidator } = options;

  async function find(workspaceId: string, toolCallId: string): Promise<InputRequestRow> {
    const row = await store.find(workspaceId, toolCallId);
    if (row === undefined) throw new YagateError("NOT_FOUND", "no questions of a tool call with this id");
    return row;
  }

  return {
    async list(workspaceId, query) {
      const { data, nextCursor } = await store.list(workspaceId, query);
      return { data: data.map(toInputRequest), nextCursor };
    },
    get: async (workspaceId, toolCallId) => toInputRequest(await find(workspaceId, toolCallId)),
    async answer({ workspaceId, keyId, toolCallId, round, answers, recorder }) {
      const row = await find(workspaceId, toolCallId);
      assertOpen(row, round);
      const faults = await checkAnswers(row.details.questions, answers, argumentValidator);
      if (faults.length > 0) throw new InvalidRequestError(faults);
      const audit = recorder?.of(workspaceId, "input_request.answered", SUBJECT)(row, { ...row, status: "answered" });
      const command = { type: "input", toolCallId, round, answers, keyId } as const;
      const { events } = await commands.apply(row.executionId, command, audit);
      const after = await find(workspaceId, toolCallId);
      if (events.length > 0) return toInputRequest(after);
      assertOpen(after, round);
      throw conflict("the questions have expired, or the execution is ending");
    },
  };
}

/** Throws if the round is not the open one. Every late answer gets the same error, whichever check detects it. */
function assertOpen({ round: latest, status }: InputRequestRow, round: number): void {
  if (round !== latest) throw conflict(`the latest round is ${latest}`);
  if (status !== "pending") throw conflict(`round ${round} is ${status}`);
}

function conflict(reason: string): YagateError {
  return new YagateError("CONFLICT", `these questions cannot be answered: ${reason}`);
}

function toInputRequest(row: InputRequestRow): InputRequest {
  const { toolCallId, executionId, round, status, details, requestedAt, expiresAt, resolution } = row;
  return {
    ...{ toolCallId, executionId, ...details, round, status },
    requestedAt: new Date(requestedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    resolution,
  };
}
