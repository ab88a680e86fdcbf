/** The input of a call, no deeper than it may be. */
export interface ShallowInput {
  readonly text: string;
  /** Objects and arrays that stayed. */
  readonly containers: number;
  /** The same, and everything in them. */
  readonly values: number;
}

/**
 * Cuts JSON off below a depth, with `null` in its place: the AI SDK and `JSON.stringify` walk values by calling
 * themselves, and run out of stack. Text that is not JSON is cut in the same way.
 *
 * @param text - JSON.
 * @param maxDepth - objects and arrays inside of each other that stay.
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
