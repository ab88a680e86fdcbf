import type { Content } from "./content.ts";

/** The result or error of a tool call that is too large to read as a whole. */
export interface Artifact extends Content {
  /** `art_…`. */
  readonly id: string;
  /** The call that returned the result or error. */
  readonly executionId: string;
  /** The part that the model may read; equals the whole unless its tool has a projection. */
  readonly readable: Content;
}

/** Finds artifacts in the record. */
export interface ArtifactReader {
  /** Undefined: unknown id in this workspace, or its execution was deleted. */
  find(artifactId: string, workspaceId: string): Promise<Artifact | undefined>;
}
