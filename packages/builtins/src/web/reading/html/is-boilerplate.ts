import { ancestorsOf, attributeOf, elementsOf, type HtmlElement } from "./html-tree.ts";
import { isLineOfLinks, linkDensity } from "./link-density.ts";

/** Elements that usually contain navigation and controls, not content. */
const AROUND = new Set(["nav", "dialog", "menu"]);
const ROLES = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "dialog",
  "alertdialog",
  "menu",
  "menubar",
  "toolbar",
  "tablist",
  "tooltip",
  "status",
]);
/** Form controls. */
export const CONTROLS = new Set(["button", "select", "textarea", "input", "datalist", "progress", "meter", "option"]);

/** Class names and ids that are typical of boilerplate, matched as complete words. */
const NAMED: readonly RegExp[] = [
  /^(?:.*[-_])?(?:cookies?|cookiebar|gdpr|ccpa|onetrust|didomi|cookiebot|truste|klaro|cmp)(?:[-_].*)?$/,
  /^(?:.*[-_])?(?:cookie|consent|privacy)(?:[-_]?)(?:banner|bar|box|notice|popup|modal|overlay|dialog|message|wall|law|container|manager|settings)(?:[-_].*)?$/,
  /^(?:main|global|site|top|primary|secondary|page|local|bottom|prev-next|pagination|post|sub|docs?)?[-_]?nav(?:igation|bar|list|menu)?(?:[-_](?:bar|links?|menu|top|bottom|header|footer|list|wrapper|container|main|primary|left|right))?$/,
  /^(?:.*[-_])?(?:bread-?crumbs?|pagination|pager|paginator|skip-?links?|skip-to-content|site-footer|page-footer|site-header|masthead)(?:[-_](?:container|wrapper|nav|inner|list|left|right|secondary|primary))?$/,
  /^(?:.*[-_])?(?:social|share|sharing)(?:[-_]?(?:bar|buttons?|links?|icons?|media|box|list|tools|widget|this|nav))?$/,
  /^(?:addthis|sharedaddy|jp-relatedposts|addtoany|a2a_kit|at-share).*$/,
  /^(?:.*[-_])?newsletter(?:[-_].*)?$|^(?:subscribe|subscription|signup|sign-up)(?:[-_]?(?:form|box|banner|widget|bar|cta|prompt|modal))?$/,
  /^(?:.*[-_])?(?:advert(?:s|isement|isements|ising)?|ad-?(?:slot|unit|banner|container|wrapper)|ads|adsbygoogle|sponsored|promo(?:tion|box)?|dfp)(?:[-_].*)?$/,
  /^(?:related|recommended|more|popular|trending|read-?more|also)[-_]?(?:posts?|articles?|stories|links|content|reading|topics|news|items|list|box|like)(?:[-_].*)?$/,
  /^(?:comments?(?:[-_]?(?:area|list|section|wrapper|form|respond))?|respond|disqus_thread|disqus)$/,
  /^(?:toc|table-?of-?contents|toc-?(?:container|wrapper|list|box|sidebar|desktop|mobile|nav)|localtoc|toc[-_].+|contents-menu|on-this-page|pagetoc)$/,
  /^(?:sr-only|visually-?hidden|screen-?reader(?:-text)?|visuallyhidden|u-hidden|noprint|no-print|print-hidden|d-none|is-hidden|assistive-text)$/,
  /^(?:pop-?up|modal|overlay|lightbox|paywall|announcement-?bar|promo-?bar|alert-?banner|site-?notice|back-?to-?top|scroll-?to-?top|language-?(?:switcher|selector|links)|theme-?(?:toggle|switcher)|version-?(?:switcher|selector|menu)|search-?(?:form|box|bar|field|results|modal|overlay))(?:[-_].*)?$/,
  /^(?:rellinks|sphinxsidebar|sphinxsidebarwrapper|navheader|navfooter|navi|catlinks|mw-jump-link|printfooter|siteSub|contentSub|toctitle|ttc)$/,
];
/** Names that may also mark content. They indicate boilerplate only for an element that contains mostly links. */
const NAMED_AND_LINKS: readonly RegExp[] = [
  /^(?:.*[-_])?side-?bar(?:[-_](?:container|wrapper|nav|inner|list|left|right|secondary|primary))?$/,
  /^(?:related|links|see-?also)$/,
];
/** Matches the names of controls next to headings and listings. */
const HANDLES =
  /^(?:header-?link|headerlink|anchor-?link|hash-?link|permalink|heading-?anchor|header-anchor|heading-link|direct-link|anchorjs-link|self-link|anchor-icon|octicon-link|mw-editsection|editsection|edit-?this-?page|edit-page|edit-link|edit-on-github|last-?updated-?by|copy-?(?:button|btn|code)|copybtn|clipboard-copy|btn-clipboard)$/;
/** Elements that contain parts of a page. */
const PARTS = new Set(
  "div section article aside ul ol dl table form p header footer center fieldset details figure iframe span a".split(
    " ",
  ),
);
const MANY_LINKS = 0.3;
/** Matches the names of side notes, which belong to the text. */
const NOTE = /note|tip|info|warning|caution|danger|important|admonition|callout|footnote|sidenote|example|pull/i;

/** Returns whether an element is boilerplate, judging by the element alone. */
export function isBoilerplate(element: HtmlElement): boolean {
  const { name } = element;
  if (AROUND.has(name)) return true;
  if (name === "html" || name === "body" || name === "main" || name === "#document") return false;
  if (ROLES.has(attributeOf(element, "role").trim().toLowerCase())) return true;
  if (name === "footer") return !isWithin(element, ["blockquote", "figure"]);
  if (name === "header") {
    return (
      !isWithin(element, ["article", "main", "section"]) && (!hasMainHeading(element) || linkDensity(element) > 0.5)
    );
  }
  if (name === "aside") return !NOTE.test(`${attributeOf(element, "class")} ${attributeOf(element, "role")}`);
  return isNamedSo(element) || isLineOfLinks(element);
}

function isNamedSo(element: HtmlElement): boolean {
  const words = wordsOf(element);
  if (words.length === 0) return false;
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (has(HANDLES)) return true;
  // Parts of listings use such names too.
  if (!PARTS.has(element.name) || element.name === "span") return false;
  return NAMED.some(has) || (NAMED_AND_LINKS.some(has) && linkDensity(element) > MANY_LINKS);
}

function wordsOf(element: HtmlElement): readonly string[] {
  const names = `${attributeOf(element, "class")} ${attributeOf(element, "id")}`;
  return names
    .toLowerCase()
    .split(/\s+/, 30)
    .filter((word) => word !== "" && word.length < 80);
}

function isWithin(element: HtmlElement, names: readonly string[]): boolean {
  for (const one of ancestorsOf(element)) if (names.includes(one.name)) return true;
  return false;
}

function hasMainHeading(element: HtmlElement): boolean {
  for (const one of elementsOf(element)) if (one.name === "h1") return true;
  return false;
}
