import { report, type Visit } from "./visit.ts";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Draft 07 lets a validator check what a text holds; the later drafts don't. */
export function checkContent(visit: Visit, keyword: string): boolean {
  const { value, schema } = visit;
  if (typeof value !== "string") return true;
  const isEncoded = schema["contentEncoding"] === "base64";
  const isReadable = !isEncoded || BASE64.test(value);
  if (keyword === "contentEncoding") return isReadable || report(visit, [keyword], "must be text in base64");
  if (keyword !== "contentMediaType" || schema[keyword] !== "application/json" || !isReadable) return true;
  const text = isEncoded ? Buffer.from(value, "base64").toString("utf8") : value;
  return isJson(text) || report(visit, [keyword], "must be a text that holds JSON");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
