import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Draft } from "../../src/json-schema/reading/drafts.ts";

const testSchema = z.object({ description: z.string(), data: z.unknown(), valid: z.boolean() });
const groupSchema = z.object({ description: z.string(), schema: z.unknown(), tests: z.array(testSchema) });
const filesSchema = z.record(z.string(), z.array(groupSchema));

/** How the suite itself sorts its tests: everybody must pass the first ones. */
export type SuitePart = "required" | "optional" | "optional formats";

/** One test of the official suite. */
export interface SuiteCase {
  readonly file: string;
  readonly part: SuitePart;
  readonly schema: unknown;
  readonly data: unknown;
  readonly isValid: boolean;
  /** Group and test, as the suite describes them. */
  readonly name: string;
}

export const SUITE_DRAFTS: readonly Draft[] = ["04", "06", "07", "2019-09", "2020-12"];

/** Tests of the suite that we do not pass, each with its reason. One that begins to pass has to leave the list. */
export const DEVIATIONS: Readonly<Record<string, string>> = {
  "draft-04 optional/zeroTerminatedFloats.json: some languages do not distinguish between different types of numeric value: a float is not an integer even without fractional part":
    "1.0 and 1 are the same number, as in every later draft",
};

/** All tests of one draft. */
export function suiteCases(draft: Draft): readonly SuiteCase[] {
  const files = filesSchema.parse(readVectors(`draft${draft.replace(/^0/, "")}.json`));
  return Object.entries(files).flatMap(([file, groups]) =>
    groups.flatMap((group) =>
      group.tests.map((test) => ({
        file,
        part: partOf(file),
        schema: group.schema,
        data: test.data,
        isValid: test.valid,
        name: `${group.description}: ${test.description}`,
      })),
    ),
  );
}

const DOCUMENTS = Object.fromEntries(
  Object.entries(z.record(z.string(), z.unknown()).parse(readVectors("remotes.json"))).map(([path, one]) => [
    `http://localhost:1234/${path}`,
    one,
  ]),
);

/** The documents that the suite expects at an address of this machine, where a test refers to them. */
export function documentsOf({ schema }: SuiteCase): Readonly<Record<string, unknown>> {
  return JSON.stringify(schema).includes("localhost:1234") ? DOCUMENTS : {};
}

/** Whether a test counts on formats being checked. */
export function assertsFormats(draft: Draft, { part, file }: SuiteCase): boolean {
  return part === "optional formats" || (draft === "07" && file === "optional/content.json");
}

function partOf(file: string): SuitePart {
  if (file.startsWith("optional/format/")) return "optional formats";
  return file.startsWith("optional/") ? "optional" : "required";
}

function readVectors(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./vectors/${name}`, import.meta.url), "utf8"));
}
