import { readFileSync } from "node:fs";
import { defined } from "@yagate/lib/objects/defined";
import { toFieldErrors, YagateError } from "@yagate/protocol";
import { parse as parseJson } from "secure-json-parse";
import table from "../../data/prices.json" with { type: "json" };
import { type PriceTable, priceTableSchema } from "./price-table.ts";
import { createPrices, type Prices } from "./prices.ts";

/**
 * Loads the prices in the package and in the operator's file.
 *
 * @param file - path of a JSON file in the form of `packages/models/data/prices.json`. Its entries replace the
 *   package's entries for the same models.
 * @throws YagateError `INVALID_REQUEST` that lists every invalid entry of the file.
 */
export function loadPrices(file?: string): Prices {
  return createPrices([priceTableSchema.parse(table), ...(file === undefined ? [] : [readTable(file)])]);
}

function readTable(file: string): PriceTable {
  const parsed = priceTableSchema.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  const lines = toFieldErrors(parsed.error).map(({ path, message }) => `${path}: ${message}`);
  throw invalid([`the prices in ${file} are not valid:`, ...lines].join("\n  "));
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw invalid(`expected a readable price file at ${file}`, error);
  }
  try {
    return parseJson(text);
  } catch (error) {
    throw invalid(`expected JSON in the price file ${file}`, error);
  }
}

function invalid(message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_REQUEST", message, {
    hint: "correct the file in YAGATE_PRICES_FILE and restart",
    ...defined({ cause }),
  });
}
