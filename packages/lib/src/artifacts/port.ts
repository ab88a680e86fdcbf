import type { Content } from "./content.ts";

/** The result or error of a tool call that is too large for the model to read in full. */
export interface Artifact extends Content {
  /** The id, such as `art_…`. */
  readonly id: string;
  /** The execution of the tool call that returned the result or error. */
  readonly executionId: string;
  /** The part that the model may read: the complete content, unless the tool has a projection. */
  readonly readable: Content;
}

/** Finds artifacts in the record of an execution. */
export interface ArtifactReader {
  /** Returns an artifact; undefined if this workspace has no artifact with the id, or if its execution was deleted. */
  find(artifactId: string, workspaceId: string): Promise<Artifact | undefined>;
}
