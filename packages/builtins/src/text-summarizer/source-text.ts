import { type Content, parseContent } from "@yagate/lib/artifacts/content";
import { JsonPathError } from "@yagate/lib/artifacts/json-path/json-path-error";
import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import { selectValues } from "@yagate/lib/artifacts/json-path/select-values";
import type { ArtifactReader } from "@yagate/lib/artifacts/port";
import { isObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import type { BuiltinContext, BuiltinError } from "../builtin-tool.ts";
import { MAX_TEXT_CHARACTERS, type SummaryRequest } from "./summary-request.ts";

/** The text of a request, or the error to return. */
export type SourceText = { readonly text: string } | { readonly error: BuiltinError };

/** Reads the text to summarise. For JSON values, the text consists of all strings in them, separated by blank lines. */
export async function readSourceText(
  { text, artifactId, path }: SummaryRequest,
  artifacts: ArtifactReader,
  { workspaceId, executionId }: Pick<BuiltinContext, "workspaceId" | "executionId">,
): Promise<SourceText> {
  if ((text === undefined) === (artifactId === undefined)) {
    return wrong("expected either text or artifactId", "pass the text itself, or the id of a result that contains it");
  }
  if (text !== undefined) {
    if (path !== undefined) return wrong("path: only artifacts have paths", "leave path out, or pass an artifactId");
    return bounded(text);
  }
  const artifact = artifactId === undefined ? undefined : await artifacts.find(artifactId, workspaceId);
  // An artifact of another execution is treated like one that does not exist.
  if (artifact === undefined || artifact.executionId !== executionId) return { error: NO_SUCH_ARTIFACT };
  const { readable } = artifact;
  if (path !== undefined && readable.mediaType === "text/plain") {
    return wrong("path: this artifact is plain text; paths work on JSON only", "leave path out");
  }
  try {
    return bounded(textOf(readable, path));
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return wrong(
      `path: ${error.message}`,
      "paths consist of names, indexes, slices, * and .., as in $.items[0:10].text",
    );
  }
}

function textOf(content: Content, path: string | undefined): string {
  if (content.mediaType === "text/plain") return content.text;
  const root = parseContent(content);
  const limits = { maxCharacters: 2 * MAX_TEXT_CHARACTERS };
  const values = path === undefined ? [root] : selectValues(parseJsonPath(path), root, limits).values;
  return textsIn(values).join("\n\n");
}

/**
 * Returns all strings in the values, in document order. Not recursive, because untrusted values may be nested to any
 * depth.
 */
function textsIn(values: readonly JsonValue[]): readonly string[] {
  const texts: string[] = [];
  const open = values.toReversed();
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") texts.push(value);
    // Pushed one by one, because the number of arguments of a call is limited.
    else if (isObject(value)) {
      for (const inner of Object.values(value).toReversed()) if (inner !== undefined) open.push(inner);
    }
  }
  return texts;
}

function bounded(text: string): SourceText {
  if (text.trim() === "") return wrong("there is no text to summarise", "check the input; a path may select nothing");
  if (text.length <= MAX_TEXT_CHARACTERS) return { text };
  const words = `the text has ${text.length} characters; the maximum is ${MAX_TEXT_CHARACTERS}`;
  return wrong(words, "summarise parts of it: select them with a path, or pass their text");
}

function wrong(message: string, hint: string): SourceText {
  return { error: { code: "INVALID_ARGUMENTS", message, hint, retryable: true } };
}

const NO_SUCH_ARTIFACT: BuiltinError = {
  code: "NOT_FOUND",
  message: "this execution has no artifact with this id",
  hint: "use the id exactly as in the preview of a result; to summarise a short text, pass it in the parameter text",
  retryable: false,
};
