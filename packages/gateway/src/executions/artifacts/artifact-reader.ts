import { isArtifact, MAX_ERROR_CHARACTERS, resultCharacters } from "@yagate/execution-machine/result-tokens";
import type { CallState } from "@yagate/execution-machine/state";
import { errorText } from "@yagate/execution-machine/tool-error";
import { toolCallIdOf } from "@yagate/lib/artifacts/artifact-id";
import { type Content, contentOf } from "@yagate/lib/artifacts/content";
import type { Artifact, ArtifactReader } from "@yagate/lib/artifacts/port";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import type { ExecutionEvent, JsonValue, ToolErrorRecord } from "@yagate/protocol";
import type { EventStore } from "@yagate/store/port";
import { LRUCache } from "lru-cache";
import { projectResult } from "../../projection/project-result.ts";
import { servedBy } from "../recording/served-request.ts";

/**
 * Maximum length of all cached texts together, in characters. The cache avoids reading a long log again for each part
 * of a result.
 */
const KEPT_CHARACTERS = 16 * 1_048_576;

/** Creates a reader that takes artifacts from the results in the logs of their executions. */
export function createArtifactReader(
  eventStore: Pick<EventStore, "findToolCall" | "entryPage">,
  keptCharacters = KEPT_CHARACTERS,
): ArtifactReader {
  const kept = createKeptArtifacts(keptCharacters);
  return {
    async find(artifactId, workspaceId) {
      const toolCallId = toolCallIdOf(artifactId);
      // This check also applies to cached artifacts: the execution may belong to another workspace or have been
      // deleted.
      const found = toolCallId === undefined ? undefined : await eventStore.findToolCall(toolCallId, workspaceId);
      if (toolCallId === undefined || found === undefined) return undefined;
      const known = kept.get(artifactId);
      if (known !== undefined) return known;
      const recorded = await recordedResult(eventStore, found.executionId, toolCallId);
      if (recorded === undefined) return undefined;
      const contents = "error" in recorded ? contentsOfError(recorded.error) : contentsOfResult(recorded);
      if (contents === undefined) return undefined;
      const { executionId } = found;
      const { content, readable } = contents;
      const artifact = { id: artifactId, executionId, ...content, readable };
      kept.set(artifact.id, artifact);
      return artifact;
    },
  };
}

type RecordedCall = Pick<CallState, "id" | "name" | "kind" | "projection" | "frameNonce"> &
  Partial<Pick<CallState, "isUntrusted">>;
type RecordedResult = RecordedCall & { readonly result: JsonValue };
type RecordedError = { readonly error: ToolErrorRecord };

/**
 * The contents of an artifact. The functions below return undefined for a text that is short enough to be read in full,
 * because that is not an artifact.
 */
type Contents = Pick<Artifact, "readable"> & { readonly content: Content };

function contentsOfResult(recorded: RecordedResult): Contents | undefined {
  const { result, projection } = recorded;
  const read = projection === undefined ? result : projectResult(result, projection);
  if (!isArtifact({ ...recorded, resultCharacters: resultCharacters(read, recorded) })) return undefined;
  const content = contentOf(result);
  return { content, readable: read === result ? content : contentOf(read) };
}

/** Returns the contents of a long error. Projections do not apply to errors. */
function contentsOfError(error: ToolErrorRecord): Contents | undefined {
  const text = errorText(error);
  if (text.length <= MAX_ERROR_CHARACTERS) return undefined;
  const content: Content = { mediaType: "application/json", text };
  return { content, readable: content };
}

/** Reads the recorded result of a call from the log, page by page, so that other work can run between two pages. */
async function recordedResult(
  eventStore: Pick<EventStore, "entryPage">,
  executionId: string,
  toolCallId: string,
): Promise<RecordedResult | RecordedError | undefined> {
  let requested: Extract<ExecutionEvent, { type: "tool_call.requested" }> | undefined;
  let failed: RecordedError | undefined;
  let seq = 0;
  for (;;) {
    const { entries, isLast } = await eventStore.entryPage(executionId, seq);
    for (const { event } of entries) {
      seq = event.seq;
      if (!("toolCallId" in event) || event.toolCallId !== toolCallId) continue;
      if (event.type === "tool_call.requested") requested = event;
      if (event.type === "route.changed" && requested !== undefined) requested = servedBy(requested, event);
      // A held call may still get a fallback, so its failure is not final.
      if (event.type === "tool_call.failed" && event.fallbackUntil === undefined) failed = { error: event.error };
      if (event.type === "tool_call.completed" && requested !== undefined) {
        const { name, kind, projection, isUntrusted = false, frameNonce } = requested;
        return { id: toolCallId, name, kind, projection, isUntrusted, frameNonce, result: event.result };
      }
    }
    if (isLast || failed !== undefined) return failed;
    await yieldToEventLoop();
  }
}

/** Creates the cache of the most recently read artifacts. Records never change, so the cache is never stale. */
function createKeptArtifacts(maxCharacters: number): LRUCache<string, Artifact> {
  return new LRUCache({ maxSize: maxCharacters, sizeCalculation: charactersOf });
}

function charactersOf({ text, readable }: Artifact): number {
  return Math.max(1, text.length + (readable.text === text ? 0 : readable.text.length));
}
