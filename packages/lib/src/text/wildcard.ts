/**
 * Creates a matcher for a pattern in which `*` matches any number of any characters. It takes linear time in the length
 * of the text for each part of the pattern.
 */
export function createWildcard(pattern: string): (text: string) => boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  return (text) => {
    if (last === undefined) return text === pattern;
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of others) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}
