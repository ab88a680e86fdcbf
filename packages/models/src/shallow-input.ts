/** The input of a call, cut at a maximum depth. */
export interface ShallowInput {
  readonly text: string;
  /** Number of objects and arrays in the input after the cut. */
  readonly containers: number;
  /** Number of objects, arrays and other values in the input after the cut. */
  readonly values: number;
}

/**
 * Replaces JSON nested deeper than the maximum with `null`: the AI SDK and `JSON.stringify` are recursive and would
 * overflow the stack. Text that is not JSON is cut in the same way.
 *
 * @param text - JSON.
 * @param maxDepth - maximum nesting depth of objects and arrays.
 */
export function toShallowInput(text: string, maxDepth: number): ShallowInput {
  let depth = 0;
  let kept = "";
  let keptUntil = 0;
  let isText = false;
  let containers = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isText) {
      if (character === "\\") at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth <= maxDepth) containers += 1;
      if (depth === maxDepth + 1) kept += `${text.slice(keptUntil, at)}null`;
    } else if (character === "}" || character === "]") {
      if (depth === maxDepth + 1) keptUntil = at + 1;
      depth = Math.max(0, depth - 1);
    } else if (character === "," && depth <= maxDepth) commas += 1;
  }
  return {
    text: depth > maxDepth ? kept : kept + text.slice(keptUntil),
    containers,
    values: containers + commas,
  };
}
