import { cutText } from "@yagate/lib/text/cut-text";
import { Fragment } from "react";
import css from "./text.module.css";

/**
 * Characters that hide, reorder or imitate other text: controls except tab and line feed, soft hyphen, marks of
 * direction, invisible characters, variation selectors and tags.
 */
const HIDDEN = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e" +
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]",
  "gu",
);

/** How much of a text is shown before the reader asks for more. */
export const SHOWN_CHARACTERS = 20_000;

/** Returns the code of a character, such as `U+202E`. */
function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Text that a tool, a model or a stranger wrote: never HTML, Markdown or a link. What hides or reorders text is drawn as
 * its code.
 */
export function VisibleText({ text, most = SHOWN_CHARACTERS }: { readonly text: string; readonly most?: number }) {
  const shown = Number.isFinite(most) ? cutText(text, most) : text;
  const pieces: { readonly at: number; readonly plain: string; readonly hidden?: string }[] = [];
  let from = 0;
  for (const match of shown.matchAll(HIDDEN)) {
    pieces.push({ at: from, plain: shown.slice(from, match.index), hidden: match[0] });
    from = match.index + match[0].length;
  }
  if (pieces.length === 0) return <bdi>{shown}</bdi>;
  pieces.push({ at: from, plain: shown.slice(from) });
  return (
    <bdi>
      {pieces.map(({ at, plain, hidden }) => (
        <Fragment key={at}>
          {plain}
          {hidden !== undefined && <span className={css["control"]}>{codeOf(hidden)}</span>}
        </Fragment>
      ))}
    </bdi>
  );
}

/** Returns text for a title or a label, in one line, without characters that hide or reorder it. */
export function toLine(text: string, most = 300): string {
  return cutText(
    text
      .slice(0, most * 2)
      .replaceAll(HIDDEN, codeOf)
      .replaceAll(/\s+/g, " ")
      .trim(),
    most,
  );
}
