import type { CalculatorFunction } from "./calculator-function.ts";
import { COUNTING_FUNCTIONS } from "./counting-functions.ts";
import { NUMBER_FUNCTIONS } from "./functions.ts";
import { MONEY_FUNCTIONS } from "./money-functions.ts";
import { STATISTICS_FUNCTIONS } from "./statistics-functions.ts";
import { UNIT_FUNCTIONS } from "./units/unit-functions.ts";

/** All functions by lower-case name. */
export const FUNCTIONS: ReadonlyMap<string, CalculatorFunction> = new Map([
  ...NUMBER_FUNCTIONS,
  ...COUNTING_FUNCTIONS,
  ...STATISTICS_FUNCTIONS,
  ...UNIT_FUNCTIONS,
  ...MONEY_FUNCTIONS,
]);

/** Names that spreadsheets and libraries use for these functions. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["average", "mean"],
  ["avg", "mean"],
  ["var", "variance"],
  ["var_s", "variance"],
  ["var_p", "pvariance"],
  ["varp", "pvariance"],
  ["variance_s", "variance"],
  ["variance_p", "pvariance"],
  ["std", "stdev"],
  ["stddev", "stdev"],
  ["stdev_s", "stdev"],
  ["stdev_p", "pstdev"],
  ["stdevp", "pstdev"],
  ["stddev_p", "pstdev"],
  ["pstddev", "pstdev"],
  ["choose", "ncr"],
  ["comb", "ncr"],
  ["combin", "ncr"],
  ["combinations", "ncr"],
  ["binomial", "ncr"],
  ["perm", "npr"],
  ["permut", "npr"],
  ["permutations", "npr"],
  ["prod", "product"],
  ["len", "count"],
  ["length", "count"],
  ["geometric_mean", "geomean"],
  ["harmonic_mean", "harmean"],
  ["corr", "correlation"],
  ["correl", "correlation"],
  ["pearson", "correlation"],
  ["cov", "covariance"],
  ["linreg", "linear_regression"],
  ["add_vat", "add_tax"],
  ["remove_vat", "remove_tax"],
  ["loan_payment", "loan"],
]);

/** Resolves an alias to the name of its function; other names stay unchanged. */
export function resolveFunctionName(name: string): string {
  return ALIASES.get(name) ?? name;
}
