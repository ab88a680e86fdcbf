import { type Keyword, report, type Visit } from "../visit.ts";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Keywords for the content of strings. Validators may check the content in draft 07, but not in later drafts. */
export const CONTENT_KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  [
    "contentEncoding",
    (visit) => isReadable(visit) || report(visit, ["contentEncoding"], { message: () => "must be a base64 string" }),
  ],
  [
    "contentMediaType",
    (visit, expected) => {
      if (expected !== "application/json" || !isReadable(visit) || isJson(textOf(visit))) return true;
      return report(visit, ["contentMediaType"], { message: () => "must be a string that contains JSON" });
    },
  ],
]);

function isReadable({ value, schema }: Visit): boolean {
  return typeof value !== "string" || schema["contentEncoding"] !== "base64" || BASE64.test(value);
}

function textOf({ value, schema }: Visit): unknown {
  const isEncoded = typeof value === "string" && schema["contentEncoding"] === "base64";
  return isEncoded ? Buffer.from(value, "base64").toString("utf8") : value;
}

function isJson(text: unknown): boolean {
  if (typeof text !== "string") return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
