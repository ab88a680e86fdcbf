import type { ArtifactReader } from "@yagate/lib/artifacts/port";
import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import type { BuiltinError, BuiltinTool } from "../builtin-tool.ts";
import { DEFAULT_PIECE_CHARACTERS, MAX_PIECE_CHARACTERS, type Reading, readPart } from "./read-part.ts";

/** Maximum length of a path in characters. */
const MAX_PATH_CHARACTERS = 2_000;

const PARAMETERS = {
  type: "object",
  properties: {
    artifactId: { type: "string", pattern: "^art_", description: "The artifact id from the preview of the result" },
    path: {
      type: "string",
      minLength: 1,
      maxLength: MAX_PATH_CHARACTERS,
      description: "JSON path (RFC 9535, no filters) of the part to read, such as $.items[0:10].name. Only for JSON",
    },
    offset: {
      type: "integer",
      minimum: 0,
      description:
        "Where to start in the text of the artifact, or of the part that path selects, in characters. Default: 0",
    },
    length: {
      type: "integer",
      minimum: 1,
      maximum: MAX_PIECE_CHARACTERS,
      description: `Maximum number of characters to read. Default: ${DEFAULT_PIECE_CHARACTERS}`,
    },
  },
  required: ["artifactId"],
  additionalProperties: false,
} as const satisfies BuiltinTool["parameters"];

/**
 * Creates the tool that reads parts of a result that was too large to show. The result must belong to the same
 * execution.
 */
export function createReadArtifactTool(artifacts: ArtifactReader): BuiltinTool {
  return {
    name: READ_ARTIFACT,
    description:
      "Reads more of a tool result that was too large to show completely: a part by JSON path, or a range of characters.",
    parameters: PARAMETERS,
    sideEffect: "read_only",
    kind: "data",
    isConfigured: true,
    async execute(parameters, { workspaceId, executionId }) {
      const reading = toReading(parameters);
      const artifact = await artifacts.find(reading.artifactId, workspaceId);
      // An artifact of another execution is treated like one that does not exist.
      return artifact?.executionId === executionId ? readPart(artifact, reading) : { error: NO_SUCH_ARTIFACT };
    },
  };
}

/** Converts the arguments, whose types were already validated against the tool's parameters. */
function toReading({ artifactId, path, offset, length }: Readonly<Record<string, unknown>>): Reading {
  return {
    artifactId: String(artifactId),
    ...(typeof path === "string" ? { path } : {}),
    ...(typeof offset === "number" ? { offset } : {}),
    ...(typeof length === "number" ? { length } : {}),
  };
}

const NO_SUCH_ARTIFACT: BuiltinError = {
  code: "NOT_FOUND",
  message: "this execution has no artifact with this id",
  hint: "use the id exactly as in the preview of a result; results that were shown completely have none",
  retryable: false,
};
