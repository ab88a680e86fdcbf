import { YagateError } from "@yagate/protocol";
import { type Document, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from "yaml";

/** Limits on a file with cases. */
export const FILE_LIMITS = {
  /** Length of the text, in characters. */
  maxCharacters: 2_000_000,
  /** How often aliases may repeat other parts; nested aliases multiply. */
  maxAliases: 100,
  /** Nesting depth of lists and maps. */
  maxDepth: 64,
} as const;

/** One document of a YAML file, as plain values with their lines. */
export interface YamlSource {
  readonly value: unknown;
  /**
   * Returns the line of a value, from 1.
   *
   * @param path - keys and positions from the root. If there is no such value, the line of the closest value that
   *   encloses its position.
   */
  lineOf(path: readonly PropertyKey[]): number;
  /** Returns the line of a key of a map. */
  lineOfKey(path: readonly PropertyKey[], key: string): number;
}

/**
 * Reads YAML 1.2 without custom types. A key may occur once in a map, and merge keys (`<<`) are ordinary keys.
 *
 * @param file - the name for messages.
 * @throws YagateError `INVALID_REQUEST` with file and line for text that is not such YAML or exceeds a limit.
 */
export function readYaml(text: string, file: string): readonly YamlSource[] {
  if (text.length > FILE_LIMITS.maxCharacters) {
    throw invalid(file, 1, `expected at most ${FILE_LIMITS.maxCharacters} characters`);
  }
  const lines = new LineCounter();
  const documents = parseDocuments(text.replace(/^\uFEFF/, ""), lines, file);
  return documents.filter(({ contents }) => contents !== null).map((document) => toSource(document, lines, file));
}

function parseDocuments(text: string, lineCounter: LineCounter, file: string): readonly Document[] {
  const options = { lineCounter, prettyErrors: false, logLevel: "error", stringKeys: true, merge: false } as const;
  try {
    const documents = parseAllDocuments(text, options);
    return Array.isArray(documents) ? documents : [];
  } catch (cause) {
    throw invalid(file, 1, `expected at most ${FILE_LIMITS.maxDepth} levels of nesting`, cause);
  }
}

function toSource(document: Document, lines: LineCounter, file: string): YamlSource {
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw invalid(file, lineAt(problem.pos[0]), lowerFirst(problem.message));
  const deepest = depthProblem(document.contents);
  if (deepest !== undefined) {
    throw invalid(file, lineAt(deepest), `expected at most ${FILE_LIMITS.maxDepth} levels of nesting`);
  }
  return { value: toValue(document, file), ...linesIn(document, lineAt) };
}

function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: FILE_LIMITS.maxAliases });
  } catch (cause) {
    throw invalid(file, 1, "expected YAML without aliases that multiply its size", cause);
  }
}

function linesIn(document: Document, lineAt: (offset: number) => number): Omit<YamlSource, "value"> {
  const offsetOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range != null) return node.range[0];
    }
    return document.contents?.range?.[0] ?? 0;
  };
  return {
    lineOf: (path) => lineAt(offsetOf(path)),
    lineOfKey(path, key) {
      const map = path.length === 0 ? document.contents : document.getIn(path, true);
      const pair = isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
      const at = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
      return lineAt(at ?? offsetOf(path));
    },
  };
}

/** Returns the offset of a node that is nested too deeply; undefined if there is none. Does not recurse. */
function depthProblem(root: unknown): number | undefined {
  const pending: { readonly node: unknown; readonly depth: number }[] = [{ node: root, depth: 1 }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { node, depth } = place;
    if (isPair(node)) pending.push({ node: node.value, depth });
    else if (isMap(node) || isSeq(node)) {
      if (depth > FILE_LIMITS.maxDepth) return node.range?.[0] ?? 0;
      for (const item of node.items) pending.push({ node: item, depth: depth + 1 });
    }
  }
  return undefined;
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function invalid(file: string, line: number, message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_REQUEST", `${file}:${line}: ${message}`, {
    hint: "correct the file and run the cases again",
    cause,
  });
}
