import {
  type ArtifactPiece,
  type ArtifactSelection,
  artifactIdSchema,
  artifactPieceSchema,
  artifactSelectionSchema,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";
import type { CallOptions } from "./call-options.ts";

/** Selects a part of an artifact's text. Positions are in characters (UTF-16 code units). */
export interface ArtifactPieceOptions extends CallOptions {
  /** Where the part starts; default 0. */
  readonly offset?: number | undefined;
  /** Length of the part: 1 to 1,048,576; default 65,536. */
  readonly length?: number | undefined;
}

/** Selects values in an artifact. */
export interface ArtifactPathOptions extends CallOptions {
  /** A JSON path (RFC 9535 without filters), such as `$.items[0:10].name`. */
  readonly path: string;
}

/** Results and errors of tool calls that are too long for the model to read in full. */
export class Artifacts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Gets the values at a JSON path in an artifact, or a part of its text. Without options, gets the first part of the
   * text.
   *
   * @throws YagateError `NOT_FOUND`; `INVALID_REQUEST` for an invalid path.
   */
  get(artifactId: string, options: ArtifactPathOptions): Promise<ArtifactSelection>;
  get(artifactId: string, options?: ArtifactPieceOptions): Promise<ArtifactPiece>;
  async get(
    artifactId: string,
    options: ArtifactPieceOptions | ArtifactPathOptions = {},
  ): Promise<ArtifactPiece | ArtifactSelection> {
    const request = { method: "GET", path: artifactPath(artifactId), signal: options.signal } as const;
    if ("path" in options && options.path !== undefined) {
      requireKnownOptions(options, ["path", "signal"], "artifacts.get with a path");
      return this.#transport.json({ ...request, query: { path: options.path } }, artifactSelectionSchema);
    }
    requireKnownOptions(options, ["offset", "length", "path", "signal"], "artifacts.get");
    const { offset = 0, length }: ArtifactPieceOptions = options;
    return this.#transport.json({ ...request, query: { offset, length } }, artifactPieceSchema);
  }

  /** Gets the complete content: JSON, or the string itself if the result is a string. */
  async content(artifactId: string, { signal }: CallOptions = {}): Promise<string> {
    return this.#transport.text({ method: "GET", path: artifactPath(artifactId), signal });
  }
}

function artifactPath(artifactId: string): string {
  return `/v1/artifacts/${requireId(artifactIdSchema, artifactId)}`;
}
