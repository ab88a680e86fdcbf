import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { parse } from "yaml";

/** The front matter of a document. */
export interface FrontMatter {
  readonly title?: string;
  /** An http or https URL. */
  readonly url?: string;
  /** ISO 8601. */
  readonly publishedAt?: string;
  readonly language?: string;
  readonly siteName?: string;
}

const MAX_CHARACTERS = 16_384;
const BLOCK = /^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)\r?\n\1[ \t]*(?:\r?\n|$)/;

/** Splits a text into its front matter (YAML between `---`, or `name = "value"` lines between `+++`) and the rest. */
export function readFrontMatter(text: string): { readonly matter: FrontMatter; readonly body: string } {
  const match = BLOCK.exec(text.slice(0, MAX_CHARACTERS));
  if (match === null) return { matter: {}, body: text };
  const fields = match[1] === "---" ? yamlFields(match[2] ?? "") : tomlFields(match[2] ?? "");
  // A horizontal rule at the start of a text, with a second rule later.
  if (fields === undefined) return { matter: {}, body: text };
  return { matter: matterOf(fields), body: text.slice(match[0].length) };
}

type Fields = ReadonlyMap<string, string>;

function yamlFields(block: string): Fields | undefined {
  try {
    const value: unknown = parse(block, { schema: "failsafe", maxAliasCount: 0, logLevel: "error" });
    if (!isJsonObject(value)) return undefined;
    const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return new Map(texts.map(([name, text]) => [name.toLowerCase(), text.trim()]));
  } catch {
    return undefined;
  }
}

function tomlFields(block: string): Fields {
  const lines = block
    .split("\n")
    .map((line) => /^([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'[{\s]\S*))\s*$/.exec(line.trim()));
  return new Map(
    lines.flatMap((match) =>
      match === null ? [] : [[(match[1] ?? "").toLowerCase(), match[2] ?? match[3] ?? match[4] ?? ""]],
    ),
  );
}

function matterOf(fields: Fields): FrontMatter {
  const first = (...names: readonly string[]) => {
    const name = names.find((one) => (fields.get(one) ?? "") !== "");
    return name === undefined ? undefined : fields.get(name);
  };
  const title = first("title");
  const url = toWebUrl(first("url", "canonical", "canonical_url", "canonicalurl", "permalink"));
  const publishedAt = toIsoDate(first("date", "published", "publishdate", "published_at", "publishedat"));
  const language = toLanguage(first("lang", "language", "locale"));
  const siteName = first("site_name", "sitename", "site");
  return {
    ...defined({ title, url, publishedAt, language, siteName }),
  };
}

function toWebUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === "";
  return isWeb ? url.href : undefined;
}

/** Parses a date, or a date and time with an offset. Other values are too vague to compare. */
export function toIsoDate(text: string | undefined): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
    text ?? "",
  );
  if (match === null) return undefined;
  const [, day = "", time, offset = "Z"] = match;
  const moment = new Date(time === undefined ? `${day}T00:00:00Z` : `${day}T${time}${offset}`);
  const isReal = !Number.isNaN(moment.getTime()) && (time !== undefined || moment.toISOString().startsWith(day));
  if (!isReal) return undefined;
  return time === undefined ? day : moment.toISOString();
}

function toLanguage(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : Intl.getCanonicalLocales(text.replace("_", "-"))[0];
  } catch {
    return undefined;
  }
}
