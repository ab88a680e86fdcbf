import type { Draft } from "@yagate/lib/json-schema/reading/drafts";
import type { JsonObject, ToolCallRecord } from "@yagate/protocol";
import { assertsFormats, documentsOf, type SuiteCase } from "../../../../lib/test/json-schema/schema-suite.ts";

/** Of one execution: their script has to fit into the body of a request. */
const CASES_PER_EXECUTION = 400;

/**
 * Has the tests of a draft answered by an agent's calls, schemas and values as texts.
 *
 * @returns those with another verdict than the suite's, as the deviations are written.
 */
export async function failedByApi(
  run: (parameters: readonly JsonObject[]) => Promise<readonly ToolCallRecord[]>,
  draft: Draft,
  cases: readonly SuiteCase[],
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (let first = 0; first < cases.length; first += CASES_PER_EXECUTION) {
    const some = cases.slice(first, first + CASES_PER_EXECUTION);
    const records = await run(some.map((one) => toParameters(draft, one)));
    if (records.length !== some.length) throw new Error(`expected ${some.length} calls, got ${records.length}`);
    for (const [index, { file, name, isValid }] of some.entries()) {
      const { result } = records[index] ?? {};
      const isAsExpected =
        typeof result === "object" && result !== null && "valid" in result && result.valid === isValid;
      if (!isAsExpected) failed.push(`draft-${draft} ${file}: ${name}`);
    }
  }
  return failed;
}

function toParameters(draft: Draft, one: SuiteCase): JsonObject {
  const schemas = Object.entries(documentsOf(one)).map(([address, document]) => [address, JSON.stringify(document)]);
  return {
    json: JSON.stringify(one.data),
    schema: JSON.stringify(one.schema),
    draft,
    assertFormats: assertsFormats(draft, one),
    schemas: Object.fromEntries(schemas),
  };
}
