import { parseContent } from "@yagate/lib/artifacts/content";
import { JsonPathError } from "@yagate/lib/artifacts/json-path/json-path-error";
import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import { type Selection, selectValues } from "@yagate/lib/artifacts/json-path/select-values";
import type { ArtifactReader } from "@yagate/lib/artifacts/port";
import { pieceOf } from "@yagate/lib/artifacts/text-piece";
import {
  artifactPieceSchema,
  artifactQuerySchema,
  artifactSelectionSchema,
  DEFAULT_ARTIFACT_PIECE_CHARACTERS,
  type JsonValue,
  jsonValueSchema,
  YagateError,
} from "@yagate/protocol";
import * as z from "zod";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { defineRoute, type Route } from "../route.ts";

export function artifactRoutes(artifacts: ArtifactReader): readonly Route[] {
  return [
    defineRoute({
      name: "getArtifact",
      method: "get",
      path: "/v1/artifacts/:id",
      summary: "Get a large tool result",
      description:
        "Without parameters, the response is the complete content. `offset` and `length` select a part of the text; `path` selects values with a JSON path.",
      tag: "tool calls",
      scopes: ["executions"],
      token: "toolCall",
      query: artifactQuerySchema,
      isText: true,
      isLargeRead: true,
      status: 200,
      response: z.union([
        artifactPieceSchema,
        artifactSelectionSchema,
        jsonValueSchema.describe("The complete content, if it is JSON."),
      ]),
      async handle({ principal, params, query }) {
        const artifact = await artifacts.find(params["id"] ?? "", principal.workspaceId);
        const { execution } = principal;
        if (artifact === undefined || (execution !== undefined && execution.id !== artifact.executionId)) {
          throw new YagateError("NOT_FOUND", "no artifact with this id in this workspace");
        }
        const { id, mediaType, text } = artifact;
        const { path, offset, length } = query;
        if (path !== undefined) {
          const { values: data, isComplete } = select(path, parseContent(artifact));
          return { status: 200, body: { id, path, data, isComplete } };
        }
        if (offset !== undefined || length !== undefined) {
          const piece = pieceOf(text, offset ?? 0, length ?? DEFAULT_ARTIFACT_PIECE_CHARACTERS);
          const totals = { totalCharacters: text.length, totalBytes: Buffer.byteLength(text) };
          return { status: 200, body: { id, mediaType, ...totals, ...piece } };
        }
        return { status: 200, text, headers: mediaType === "text/plain" ? {} : { "Content-Type": mediaType } };
      },
    }),
  ];
}

function select(path: string, value: JsonValue): Selection {
  try {
    return selectValues(parseJsonPath(path), value);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new InvalidRequestError([{ path: "path", code: "INVALID_PATH", message: error.message }]);
  }
}
