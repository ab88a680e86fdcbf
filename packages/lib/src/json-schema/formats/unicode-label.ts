/** Characters that are generally allowed in names: lower-case letters, marks and digits (RFC 5892, section 2). */
const USUAL = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}-]$/u;
/** Exceptions that are allowed anywhere (RFC 5892, section 2.6). */
const ALLOWED = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/u;
/** Exceptions that are never allowed. */
const FORBIDDEN = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u;
/** Characters that are allowed only next to certain other characters (RFC 5892, appendix A). */
const IN_CONTEXT = /^[\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d]$/u;
const VIRAMA =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed]$/u;

/**
 * Checks whether a Unicode label is valid in a host name (RFC 5891 and 5892). The joining types of characters are
 * approximated by their scripts.
 */
export function isUnicodeLabel(label: string): boolean {
  if (label === "" || label !== label.normalize("NFC")) return false;
  if (/^-|-$|^..--/u.test(label) || /^\p{M}/u.test(label) || FORBIDDEN.test(label)) return false;
  if (/[\u0660-\u0669]/.test(label) && /[\u06f0-\u06f9]/.test(label)) return false;
  const characters = [...label];
  return characters.every((character, index) => {
    if (IN_CONTEXT.test(character)) return fitsContext(characters, index);
    return ALLOWED.test(character) || (USUAL.test(character) && isStable(character));
  });
}

/**
 * Checks whether normalisation keeps a character. Characters that it replaces are not allowed (RFC 5892, section 2.2).
 */
function isStable(character: string): boolean {
  return character.normalize("NFKC").toLowerCase().normalize("NFKC") === character;
}

function fitsContext(characters: readonly string[], index: number): boolean {
  const before = characters[index - 1] ?? "";
  const after = characters[index + 1] ?? "";
  switch (characters[index]) {
    case "\u00b7":
      return before === "l" && after === "l";
    case "\u0375":
      return /\p{Script=Greek}/u.test(after);
    case "\u05f3":
    case "\u05f4":
      return /\p{Script=Hebrew}/u.test(before);
    case "\u30fb":
      return characters.some((one) => one !== "\u30fb" && /[\p{scx=Hira}\p{scx=Kana}\p{Script=Han}]/u.test(one));
    case "\u200c":
      return VIRAMA.test(before) || isBetweenJoining(before, after);
    default:
      return VIRAMA.test(before);
  }
}

/** Checks whether a non-joiner separates two letters that would otherwise be joined, as in Persian. */
function isBetweenJoining(before: string, after: string): boolean {
  const joining = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]/u;
  return joining.test(before) && joining.test(after);
}
