import { cutText } from "@yagate/lib/text/cut-text";
import type { SkippedTool } from "@yagate/protocol";

/** Maximum number of skipped tools that a source shows. */
const MAX_SHOWN = 100;
/** Maximum length of the name and the reason of a skipped tool, in characters. */
const MAX_CHARACTERS = 300;

/** Returns the skipped tools that a source shows: the first 100, with texts of at most 300 characters. */
export function toSkippedTools(skipped: readonly Pick<SkippedTool, "name" | "reason">[]): readonly SkippedTool[] {
  return skipped.slice(0, MAX_SHOWN).map(({ name, reason }) => ({
    ...{ name: cutText(name, MAX_CHARACTERS), reason: cutText(reason, MAX_CHARACTERS) },
  }));
}
