import { type Content, parseContent } from "@yagate/lib/artifacts/content";
import { JsonPathError } from "@yagate/lib/artifacts/json-path/json-path-error";
import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import { selectValues } from "@yagate/lib/artifacts/json-path/select-values";
import type { ArtifactReader } from "@yagate/lib/artifacts/port";
import { isObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import type { BuiltinContext, BuiltinError } from "../builtin-tool.ts";
import { MAX_TEXT_CHARACTERS, type SummaryRequest } from "./summary-request.ts";

/** The text of a request, or why there is none. */
export type SourceText = { readonly text: string } | { readonly error: BuiltinError };

/** Reads what is to be summarised. Of JSON, all texts in it, with a blank line between two of them. */
export async function readSourceText(
  { text, artifactId, path }: SummaryRequest,
  artifacts: ArtifactReader,
  { workspaceId, executionId }: Pick<BuiltinContext, "workspaceId" | "executionId">,
): Promise<SourceText> {
  if ((text === undefined) === (artifactId === undefined)) {
    return wrong("expected either text or artifactId", "give the text itself, or the id of a result that has it");
  }
  if (text !== undefined) {
    if (path !== undefined) return wrong("path: only an artifact has paths", "leave path out, or give an artifactId");
    return bounded(text);
  }
  const artifact = artifactId === undefined ? undefined : await artifacts.find(artifactId, workspaceId);
  // One of another execution is as unknown as one that does not exist.
  if (artifact === undefined || artifact.executionId !== executionId) return { error: NO_SUCH_ARTIFACT };
  const { readable } = artifact;
  if (path !== undefined && readable.mediaType === "text/plain") {
    return wrong("path: this artifact is plain text, which has no paths", "leave path out");
  }
  try {
    return bounded(textOf(readable, path));
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return wrong(`path: ${error.message}`, "paths are names, indexes, slices, * and .., as in $.items[0:10].text");
  }
}

function textOf(content: Content, path: string | undefined): string {
  if (content.mediaType === "text/plain") return content.text;
  const root = parseContent(content);
  const limits = { maxCharacters: 2 * MAX_TEXT_CHARACTERS };
  const values = path === undefined ? [root] : selectValues(parseJsonPath(path), root, limits).values;
  return textsIn(values).join("\n\n");
}

/** Every text in values, in the order of the document. Not recursive: how deep values nest is up to strangers. */
function textsIn(values: readonly JsonValue[]): readonly string[] {
  const texts: string[] = [];
  const open = values.toReversed();
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") texts.push(value);
    // One by one: a call can't have as many arguments as a list may have elements.
    else if (isObject(value)) {
      for (const inner of Object.values(value).toReversed()) if (inner !== undefined) open.push(inner);
    }
  }
  return texts;
}

function bounded(text: string): SourceText {
  if (text.trim() === "") return wrong("there is no text to summarise", "check what was given; a path may select none");
  if (text.length <= MAX_TEXT_CHARACTERS) return { text };
  const words = `the text has ${text.length} characters, and at most ${MAX_TEXT_CHARACTERS} are summarised`;
  return wrong(words, "summarise parts of it: choose them with a path, or give their text");
}

function wrong(message: string, hint: string): SourceText {
  return { error: { code: "INVALID_ARGUMENTS", message, hint, retryable: true } };
}

const NO_SUCH_ARTIFACT: BuiltinError = {
  code: "NOT_FOUND",
  message: "there is no artifact of this id in this execution",
  hint: "use the id exactly as the preview of a result names it; give short texts as text",
  retryable: false,
};
