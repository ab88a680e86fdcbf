import { toolSourceNameSchema } from "@yagate/protocol";

const MAX_LENGTH = 24;
/** Parts of URLs that say nothing about the tools behind them. */
const GENERIC: ReadonlySet<string> = new Set([
  ...["tools", "tool", "mcp", "mcp_server", "remote_mcp", "sse", "stream", "streamable", "http", "messages", "message"],
  ...["api", "apis", "rest", "handler", "handlers", "webhook", "webhooks", "server", "servers", "gateway", "app"],
  ...["openapi", "swagger", "docs", "spec", "specs", "www", "dev", "staging", "prod", "production"],
]);
/** Second labels of domains such as `example.co.uk`, which precede a country code. */
const SECOND_LEVEL: ReadonlySet<string> = new Set(["ac", "co", "com", "edu", "gov", "net", "org"]);
/** Hosts that name the machine instead of a service. */
const LOCAL: ReadonlySet<string> = new Set(["localhost", "host.docker.internal"]);
/** Matches a random identifier: at least 12 characters, among them three digits. */
const IDENTIFIER = /^(?=.{12})(?:\D*\d){3}/;

/**
 * Derives the name of a source from its URL: the last meaningful part of the path, else the last meaningful label of
 * the host, else the last part of the path. `https://tools.example.com/orders` and `https://orders.example.com/mcp`
 * give `orders`, `http://localhost:3000/tools` gives `tools`.
 *
 * @returns undefined if no part of the URL can be a name.
 */
export function deriveName(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  const parts = pathname
    .split("/")
    .filter((part) => part !== "")
    .toReversed()
    .map((part) => toName(part.replace(/\.(?:json|ya?ml)$/i, "")));
  const candidates = [...parts.filter(isTelling), ...labelsOf(hostname).map(toName).filter(isTelling), ...parts];
  return candidates.find((name) => toolSourceNameSchema.safeParse(name).success);
}

/**
 * Derives the name of a source from a text, such as the title of a document; undefined if the text cannot be a name.
 */
export function sourceNameOf(text: string): string | undefined {
  return toolSourceNameSchema.safeParse(toName(text)).data;
}

/** Returns the labels of a host before its public suffix; none for an address or a name of the own machine. */
function labelsOf(hostname: string): readonly string[] {
  if (LOCAL.has(hostname) || /^[\d.]+$|^\[/.test(hostname)) return [];
  const labels = hostname.split(".").filter((label) => label !== "");
  // In a container network, a host is often a single name.
  if (labels.length === 1) return labels;
  const isCountryCode = labels.at(-1)?.length === 2;
  const suffix = isCountryCode && labels.length > 2 && SECOND_LEVEL.has(labels.at(-2) ?? "") ? 2 : 1;
  return labels.slice(0, -suffix);
}

function isTelling(name: string): boolean {
  return name.length > 1 && !GENERIC.has(name) && !/^v\d+$/.test(name) && !IDENTIFIER.test(name);
}

function toName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[^a-z]+|_+$/g, "")
    .slice(0, MAX_LENGTH)
    .replace(/_$/, "");
}
