/** What the scanner expected at a position. */
export type Awaited = "value" | "name" | "colon" | "separator" | "end";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["True", "write true"],
  ["TRUE", "write true"],
  ["False", "write false"],
  ["FALSE", "write false"],
  ["None", "write null"],
  ["Null", "write null"],
  ["NULL", "write null"],
  ["nil", "write null"],
  ["undefined", "JSON does not have undefined: write null, or leave the property out"],
  ["NaN", "JSON does not have NaN: write null or a string"],
  ["nan", "JSON does not have NaN: write null or a string"],
  ["Infinity", "JSON does not have infinity: write null or a string"],
  ["inf", "JSON does not have infinity: write null or a string"],
]);

/** Suggests what the author probably meant by the unexpected character. */
export function hintFor(text: string, offset: number, awaited: Awaited): string | undefined {
  const here = text.slice(offset, offset + 40);
  const before = text.slice(0, offset).trimEnd().at(-1);
  if (here === "") return undefined;
  if (here.startsWith("\ufeff")) return "remove this byte order mark";
  if (/^(?:\/\/|\/\*|#)/.test(here)) return "JSON does not allow comments: remove them";
  if (here.startsWith("```")) return "remove the Markdown fence around the JSON";
  if (/^[“”„‟«»‘’‚]/.test(here)) return 'use straight double quotes ("), not typographic ones';
  if (/^[\u00a0\u2000-\u200b\u202f\u2028\u2029\u3000\u0085\v\f]/.test(here)) {
    return "JSON does not allow this kind of space: use an ordinary one";
  }
  if (awaited !== "value" && isDateOrTime(text, offset))
    return "put the whole value in double quotes: JSON has no dates or times";
  switch (awaited) {
    case "value":
      return valueHint(here, before);
    case "name":
      return nameHint(here, before);
    case "colon":
      if (/^=/.test(here)) return "put a colon between a name and its value";
      return /^[,}]/.test(here) ? "the property has a name but no value" : "a colon is missing before it";
    case "separator":
      return separatorHint(here, before);
    default:
      if (/^[{["]/.test(here))
        return "several values follow each other: check them one by one, or put them into one array";
      if (/^[}\]]/.test(here)) return "there is one closing bracket too many";
      return /^\s*[{["]/.test(text)
        ? "remove everything after the JSON value"
        : "put the whole value in double quotes if it is one string, or remove everything after the JSON value";
  }
}

/** Returns whether digits that follow a separator look like a date or time, as in 2026-01-01, 12:30 and 1/2/2026. */
function isDateOrTime(text: string, offset: number): boolean {
  return /^[0-9][-:/][0-9]/.test(text.slice(Math.max(0, offset - 1), offset + 2));
}

function valueHint(here: string, before: string | undefined): string | undefined {
  if (/^['`]/.test(here)) return "put strings in double quotes";
  if (/^[\]}]/.test(here)) return before === "," ? "remove the comma before it" : "the value is missing";
  if (/^,/.test(here)) return "a value is missing before the comma, or there is one comma too many";
  if (/^[+]/.test(here)) return "JSON does not allow a plus sign before a number";
  if (/^\.[0-9]/.test(here)) return "put a digit before the decimal point, as in 0.5";
  const word = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(here)?.[0];
  if (word === undefined) return undefined;
  return WORDS.get(word) ?? "put strings in double quotes; the only bare words in JSON are true, false and null";
}

function nameHint(here: string, before: string | undefined): string | undefined {
  if (/^['`]/.test(here)) return "put property names in double quotes";
  if (/^\}/.test(here)) return before === "," ? "remove the comma before it" : undefined;
  if (/^,/.test(here)) return "there is one comma too many";
  if (/^[\p{L}\p{N}_$-]/u.test(here)) return "put property names in double quotes";
  return undefined;
}

function separatorHint(here: string, before: string | undefined): string | undefined {
  if (/^[\]}]/.test(here)) return "the brackets do not match: this one does not close the last bracket opened";
  if (/^[;]/.test(here)) return "separate members with commas";
  if (/^:/.test(here)) return "only members of an object, inside { }, have names";
  if (before === '"' && /^[^"{[\s]/.test(here)) {
    return 'the string ended before it: write a quote inside a string as \\", or separate two values with a comma';
  }
  return /^["{[\p{L}\p{N}'-]/u.test(here) ? "a comma is missing before it" : undefined;
}
