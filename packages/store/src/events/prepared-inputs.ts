import type { ExecutionEvent, InputRequestStatus, InputResolution } from "@yagate/protocol";
import type { NewInputRequest } from "../tables/input-requests.ts";
import type { Append } from "./event-store.ts";

/** How a round of questions ended, serialised. */
export interface PreparedInputResolution {
  readonly toolCallId: string;
  readonly round: number;
  readonly status: InputRequestStatus;
  readonly resolutionJson: string;
}

/** A row of `input_requests`, serialised. It replaces the row of the call's round before. */
export interface PreparedInputRequest {
  readonly request: NewInputRequest;
  readonly detailsJson: string;
  /** Set if the same append both asks and ends the round. */
  readonly resolution: PreparedInputResolution | undefined;
}

export interface PreparedInputs {
  readonly inputRequests: readonly PreparedInputRequest[];
  /** Ends of rounds that began in earlier appends. */
  readonly inputResolutions: readonly PreparedInputResolution[];
}

const NONE: PreparedInputs = { inputRequests: [], inputResolutions: [] };

/** Serialises the questions and answers of an append. */
export function prepareInputs({ inputRequests = [], entries }: Append): PreparedInputs {
  const resolutions = entries.flatMap(({ event }) => resolutionOf(event));
  if (inputRequests.length === 0 && resolutions.length === 0) return NONE;
  const isOf =
    ({ toolCallId, round }: NewInputRequest) =>
    (one: PreparedInputResolution) =>
      one.toolCallId === toolCallId && one.round === round;
  return {
    inputRequests: inputRequests.map((request) => ({
      request,
      detailsJson: JSON.stringify(request.details),
      resolution: resolutions.find(isOf(request)),
    })),
    inputResolutions: resolutions.filter((one) => !inputRequests.some((request) => isOf(request)(one))),
  };
}

function resolutionOf(event: ExecutionEvent): readonly PreparedInputResolution[] {
  if (event.type !== "input.received" && event.type !== "input.withdrawn") return [];
  const { toolCallId, round, at } = event;
  const isAnswered = event.type === "input.received";
  const resolution: InputResolution = isAnswered ? { at, keyId: event.keyId, answers: event.answers } : { at };
  const status = isAnswered ? "answered" : event.status;
  return [{ toolCallId, round, status, resolutionJson: JSON.stringify(resolution) }];
}
