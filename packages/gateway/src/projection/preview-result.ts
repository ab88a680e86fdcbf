import { contentOf } from "@yagate/lib/artifacts/content";
import { isStructured, outlineOf } from "@yagate/lib/artifacts/outline";
import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import { endOf, pieceOf } from "@yagate/lib/artifacts/text-piece";
import type { JsonValue } from "@yagate/protocol";
import { cutMark } from "./cut-mark.ts";

const MAX_CHARACTERS = 8_000;
/** Space for the gateway's own words in the preview, in characters. */
const OWN_CHARACTERS = 1_200;
const OUTLINE_CHARACTERS = 2_400;
const JSON_BEGINNING_CHARACTERS = 2_400;
const TEXT_BEGINNING_CHARACTERS = 3_600;
const TEXT_END_CHARACTERS = 1_200;

export interface PreviewOptions {
  readonly artifactId: string;
  readonly result: JsonValue;
  /** Whether the model has a tool that reads artifacts. */
  readonly canReadMore: boolean;
  /** Maximum length of the preview in characters: 2,000 to 8,000, default 8,000. */
  readonly maxCharacters?: number;
  /** Describes what was cut off before the result was stored. */
  readonly lost?: string | undefined;
  /**
   * Frames the parts of the preview that come from the result. A frame may lengthen a text by a third plus about 150
   * characters.
   */
  readonly wrap: (text: string) => string;
}

/**
 * Returns the preview that the model reads instead of a result that is too large: its type and size, its outline and
 * beginning, how to read more, and a mark of what is missing.
 */
export function previewResult(options: PreviewOptions): string {
  const { artifactId, result, canReadMore, lost, wrap, maxCharacters = MAX_CHARACTERS } = options;
  const share = (characters: number) =>
    Math.floor((characters * (maxCharacters - OWN_CHARACTERS)) / (MAX_CHARACTERS - OWN_CHARACTERS));
  const { mediaType, text } = contentOf(result);
  const isText = mediaType === "text/plain";
  const beginning = pieceOf(text, 0, share(isText ? TEXT_BEGINNING_CHARACTERS : JSON_BEGINNING_CHARACTERS));
  const end = isText ? endOf(text, share(TEXT_END_CHARACTERS)) : "";
  const shown = isText
    ? `Its beginning:\n${beginning.text}\n\nIts end:\n${end}`
    : `Its outline:\n${outlineOf(result, share(OUTLINE_CHARACTERS))}\n\nIts beginning:\n${beginning.text}`;
  const size = `${text.length} characters, ${Buffer.byteLength(text)} bytes of ${mediaType}`;
  const left = text.length - beginning.text.length - end.length;
  return [
    `[This result is too large to be read at once: ${size}. It is kept as the artifact ${artifactId}. What follows is a preview.`,
    `${canReadMore ? howToRead(artifactId, isStructured(result), beginning.nextOffset ?? 0) : CANNOT_READ}]`,
    wrap(shown),
    cutMark({ left, total: text.length, canReadMore, lost }),
  ].join("\n");
}

const CANNOT_READ = "The rest can't be read in this execution: if you need it, request less from the tool.";

// The example path is constant, because a name from the result would appear outside the frame of untrusted content.
function howToRead(artifactId: string, hasPaths: boolean, offset: number): string {
  const byRange = `by characters, for example ${JSON.stringify({ artifactId, offset })}`;
  const byPath = `by JSON path, for example ${JSON.stringify({ artifactId, path: "$.items[0:5]" })} (names and places as in the outline), or `;
  return `Call ${READ_ARTIFACT} to read more of it: ${hasPaths ? byPath : ""}${byRange}. Read only what the task needs.`;
}
