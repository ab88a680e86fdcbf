import type { Content } from "./content.ts";

/** The result of a tool call, or its error, that is too large to be read at once. */
export interface Artifact extends Content {
  /** `art_…`. */
  readonly id: string;
  /** Of the call whose result or error it is. */
  readonly executionId: string;
  /** What a model may read of it; the same as the whole unless its tool has a projection. */
  readonly readable: Content;
}

/** Finds artifacts where they are recorded. */
export interface ArtifactReader {
  /** Undefined: none of this id in this workspace, or its execution was deleted. */
  find(artifactId: string, workspaceId: string): Promise<Artifact | undefined>;
}
