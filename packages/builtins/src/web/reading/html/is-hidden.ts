import { ancestorsOf, attributeOf, type HtmlElement } from "./html-tree.ts";
import { plainStyle } from "./plain-style.ts";

const UNSEEN_STYLES: readonly RegExp[] = [
  /(?:^|;)display:none/,
  /(?:^|;)visibility:(?:hidden|collapse)/,
  /(?:^|;)opacity:(?:0*(?:\.0\d*|\.)?(?:;|!|$)|0*\d(?:\.\d*)?%)/,
  /(?:^|;)font-size:(?:0*\.?0+|0*\.\d+|1)(?:px|pt|em|rem|%|;|!|$)/,
  /(?:^|;)(?:left|right|top|bottom|margin-left|margin-top|text-indent):-\d{3,}(?:px|em|rem|pt|%|vw|vh)?/,
  /(?:^|;)transform:(?:scale\(0|translate[xy3d]*\(-\d{4,})/,
  /(?:^|;)clip:rect\((?:0(?:px)?|1px)[ ,]/,
  /(?:^|;)clip-path:inset\((?:50|100)%/,
  /(?:^|;)content-visibility:hidden/,
  /(?:^|;)font:(?:[a-z]+ )*0*\.?0+(?:px|pt|em|rem|%)?[ /]/,
  /(?:^|;)filter:(?:[a-z-]+\([^)]*\) ?)*opacity\(0*\.?0*%?\)/,
  /(?:^|;)letter-spacing:-(?:\d{2,}(?:\.\d*)?(?:px|pt|%)|[1-9]\d*(?:\.\d*)?(?:em|rem|ch))/,
];
const NO_SIZE = /(?:^|;)(?:max-)?(?:width|height):[01](?:px)?(?:;|!|$)/;
const CLIPS = /(?:^|;)overflow(?:-[xy])?:(?:hidden|clip)/;

/** Returns whether an element is hidden by an attribute or its inline style. */
export function isHidden(element: HtmlElement): boolean {
  const { name, attributes } = element;
  if (attributes.has("hidden") && attributeOf(element, "hidden").toLowerCase() !== "until-found") return true;
  if (attributes.has("popover")) return true;
  if (name === "input" || name === "dialog") return !attributes.has("open");
  const style = plainStyle(attributeOf(element, "style"));
  if (style === "" && name !== "font") return false;
  return (
    UNSEEN_STYLES.some((pattern) => pattern.test(style)) ||
    (NO_SIZE.test(style) && CLIPS.test(style)) ||
    isOfGroundColor(element, style)
  );
}

/** Returns whether an element is hidden from screen readers. Such content is mostly duplicated or decorative. */
export function isUnheard(element: HtmlElement): boolean {
  return attributeOf(element, "aria-hidden").trim().toLowerCase() === "true";
}

/** Returns whether the text has the same colour as its background. */
function isOfGroundColor(element: HtmlElement, style: string): boolean {
  const written = /(?:^|;)(?:-webkit-text-fill-)?color:([^;!]+)/.exec(style)?.[1];
  const color = colorOf(written ?? (element.name === "font" ? attributeOf(element, "color") : ""));
  if (color === undefined) return false;
  if (color === "transparent") return true;
  let isStyledElsewhere = false;
  for (const one of [element, ...ancestorsOf(element)]) {
    const ground = groundOf(one);
    if (ground !== undefined) return ground === color;
    if (one.name === "body" || one.name === "html") continue;
    isStyledElsewhere ||= one.attributes.has("class") || one.attributes.has("id");
  }
  // A stylesheet may set a dark background for white text.
  return color === "255,255,255" && !isStyledElsewhere;
}

const grounds = new WeakMap<HtmlElement, { readonly ground: string | undefined }>();

function groundOf(element: HtmlElement): string | undefined {
  const known = grounds.get(element);
  if (known !== undefined) return known.ground;
  const ground = writtenGround(element);
  grounds.set(element, { ground });
  return ground;
}

function writtenGround(element: HtmlElement): string | undefined {
  const style = plainStyle(attributeOf(element, "style"));
  const written = /(?:^|;)background(?:-color)?:([^;!]+)/.exec(style)?.[1] ?? attributeOf(element, "bgcolor");
  if (written === "") return undefined;
  // The background is an image or a gradient, so its colour is unknown.
  return colorOf(written) ?? "unknown";
}

const NAMED: Readonly<Record<string, string>> = {
  white: "255,255,255",
  snow: "255,250,250",
  black: "0,0,0",
  red: "255,0,0",
  green: "0,128,0",
  blue: "0,0,255",
  yellow: "255,255,0",
  gray: "128,128,128",
  grey: "128,128,128",
  silver: "192,192,192",
};

/** Converts a colour to `r,g,b`, with similar colours made equal, or to `transparent`. */
function colorOf(written: string): string | undefined {
  const color = written.trim().toLowerCase();
  if (color === "transparent" || /^(?:rgba|hsla)\(.*[,/]\s*0*\.?0*%?\)$/.test(color)) return "transparent";
  if (Object.hasOwn(NAMED, color)) return rounded((NAMED[color] ?? "").split(",").map(Number));
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/.exec(color);
  if (long !== null) return rounded(long.slice(1).map((part) => Number.parseInt(part, 16)));
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?$/.exec(color);
  if (short !== null) return rounded(short.slice(1).map((part) => Number.parseInt(part + part, 16)));
  const parts = /^rgba?\((\d+)[, ](\d+)[, ](\d+)/.exec(color);
  return parts === null ? undefined : rounded(parts.slice(1).map(Number));
}

/** Rounds a colour, so that indistinguishable shades become equal. */
function rounded(parts: readonly number[]): string {
  return parts.map((part) => (part >= 248 ? 255 : Math.round(part / 8) * 8)).join(",");
}
