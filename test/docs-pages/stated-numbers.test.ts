import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA_LIMITS, VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import {
  DEFAULT_SECRET_OVERLAP_SECONDS,
  DEFAULT_TOLERANCE_SECONDS,
  MAX_AUDITED_BYTES,
  MAX_SECRET_OVERLAP_SECONDS,
  MAX_TEST_PREVIEW_BYTES,
} from "@yagate/protocol";
import { expect, it } from "vitest";
import { JSON_VALIDATOR_LIMITS } from "../../packages/builtins/src/json-validator/limits.ts";
import { searchSettingsSchema } from "../../packages/builtins/src/search/search-settings.ts";
import { DEFAULT_CONFIG } from "../../packages/builtins/src/url-fetch/url-fetch-config.ts";
import { RESPONSE_LIMITS } from "../../packages/models/src/response-limits.ts";
import { MAX_CALL_BODY_BYTES } from "../../packages/protocol/src/signing/sign.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { sourceNumber } from "./stated-number.ts";

const DAY_SECONDS = 86_400;
const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

const VALIDATOR_ARGUMENTS = "builtins/src/json-validator/json-validator-arguments";
const CONFORMANCE = "cli/src/conformance/command";
const slowBodySeconds = sourceNumber(`${CONFORMANCE} DEFAULT_SLOW_BODY_SECONDS`);
const answerSeconds = sourceNumber(`${CONFORMANCE} DEFAULT_ANSWER_SECONDS`);
const conformanceSeconds = sourceNumber(`${CONFORMANCE} DEFAULT_TIMEOUT_MS`) / 1_000;
const LOCAL_SEARCH = "builtins/src/search/local/local-search";
const APPROVAL_LIST = "cli/src/approvals/list";
const aheadSeconds = sourceNumber("cli/src/conformance/cases/genuine-cases CLOCK_AHEAD_MS") / 1_000;

it.each<[page: string, sentence: RegExp, numbers: readonly number[]]>([
  ["handler-tools", /have more than (\d+) characters/, [VALUE_LIMITS.maxCharacters]],
  ["handler-tools", /nested more than (\d+) levels deep/, [VALUE_LIMITS.maxDepth]],
  [
    "handler-tools",
    /at most (\d+) KiB in size and (\d+) levels/,
    [SCHEMA_LIMITS.maxBytes / 1_024, SCHEMA_LIMITS.maxDepth],
  ],
  ["composed-tools-reference", /arguments for a built-in tool \| (\d+) characters/, [VALUE_LIMITS.maxCharacters]],
  ["json-validator", /samples together \| 1 MiB \(([\d,]+) characters\)/, [JSON_VALIDATOR_LIMITS.maxDataCharacters]],
  [
    "json-validator",
    /`schema` \| 64 KiB \(([\d,]+) characters\), (\d+) levels/,
    [JSON_VALIDATOR_LIMITS.maxSchemaCharacters, JSON_VALIDATOR_LIMITS.maxSchemaDepth],
  ],
  ["json-validator", /and of samples \| (\d+) levels/, [JSON_VALIDATOR_LIMITS.maxDataDepth]],
  [
    "json-validator",
    /one call \| (\d+) seconds and (\d+) MB/,
    [JSON_VALIDATOR_LIMITS.timeoutMs / 1_000, JSON_VALIDATOR_LIMITS.memoryMegabytes],
  ],
  ["json-validator", /`maxErrors` \| (\d+) \|/, [sourceNumber(`${VALIDATOR_ARGUMENTS} DEFAULT_MAX_ERRORS`)]],
  ["model-replies", /at most (\d+) KiB of an HTTP error/, [RESPONSE_LIMITS.errorBytes / 1_024]],
  ["handler-reference", /`maxBodyBytes` \| (\d+) /, [MAX_CALL_BODY_BYTES]],
  ["url-fetch", /`maxCharacters` \| ([\d,]+) \| the default for calls/, [DEFAULT_CONFIG.maxCharacters]],
  ["url-fetch", /`maxCharacters` \| ([\d,]+)[ ,|]/, [DEFAULT_CONFIG.maxCharacters]],
  ["web-search", /caches a result for (\d+) minutes/, [searchSettingsSchema.parse({}).cacheSeconds / 60]],
  [
    "keys",
    /`overlapSeconds`: 0 to (\d+) \((\d+) days\), default (\d+)/,
    [MAX_SECRET_OVERLAP_SECONDS, MAX_SECRET_OVERLAP_SECONDS / DAY_SECONDS, DEFAULT_SECRET_OVERLAP_SECONDS],
  ],
  [
    "keys",
    /`overlapSeconds` \(0 to (\d+), default (\d+)/,
    [MAX_SECRET_OVERLAP_SECONDS, DEFAULT_SECRET_OVERLAP_SECONDS],
  ],
  [
    "cli-reference",
    /previous value remains valid, 0 to (\d+) \(default: (\d+)\)/,
    [MAX_SECRET_OVERLAP_SECONDS, DEFAULT_SECRET_OVERLAP_SECONDS],
  ],
  [
    "providers",
    /A workspace has at most (\d+) providers/,
    [sourceNumber("secrets/src/provider-credentials MAX_PROVIDERS")],
  ],
  [
    "postgresql",
    /as soon as it has another, and every (\d+) seconds in any case/,
    [sourceNumber("store/src/postgres/feed POLL_EVERY_MS") / 1_000],
  ],
  [
    "postgresql",
    /breaks during a commit.* up to (\d+) seconds/,
    [sourceNumber("store/src/postgres/resolve-commit-outcome PATIENCE_MS") / 1_000],
  ],
  ["audit", /larger than ([\d,]+) bytes/, [MAX_AUDITED_BYTES]],
  ["audit", /`before`, `after` \|.* larger than ([\d,]+) bytes/, [MAX_AUDITED_BYTES]],
  ["workspace-tools", /`lastTest` .* at most (\d+) KiB/, [MAX_TEST_PREVIEW_BYTES / 1_024]],
  [
    "openapi-import",
    /`removed` lists the first (\d+) /,
    [sourceNumber("tool-definitions/src/openapi/clean-document MAX_PLACES")],
  ],
  [
    "handler-tools",
    /printable ASCII .*at most (\d+) characters/,
    [sourceNumber("protocol/src/schemas/static-headers MAX_VALUE_LENGTH")],
  ],
  ["conformance-cases", /from a clock that is (\d+) s ahead/, [aheadSeconds]],
  ["conformance", /Without the option the command waits (\d+) s/, [slowBodySeconds]],
  ["conformance", /at most `--timeout` \((\d+) s\)/, [conformanceSeconds]],
  ["cli-reference", /The complete run takes at most (\d+) seconds/, [conformanceSeconds]],
  ["cli-reference", /`--answer-timeout <seconds>` .*\(default: (\d+)\)/, [answerSeconds]],
  ["cli-reference", /age of a call that the handler accepts \(default: (\d+)\)/, [DEFAULT_TOLERANCE_SECONDS]],
  ["cli-reference", /in the past or the future \(default: (\d+)\)/, [DEFAULT_TOLERANCE_SECONDS]],
  ["cli-reference", /number of executions \(default: (\d+);/, [sourceNumber("cli/src/list-limit DEFAULT_LIMIT")]],
  ["cli-reference", /number of entries \(default: (\d+);/, [sourceNumber("cli/src/list-limit DEFAULT_LIMIT")]],
  [
    "cli-reference",
    /number of approvals, 1 to (\d+) \(default: (\d+)\)/,
    [sourceNumber(`${APPROVAL_LIST} MAX_LIMIT`), sourceNumber(`${APPROVAL_LIST} DEFAULT_LIMIT`)],
  ],
  ["local-search", /`fresh: true` .* up to (\d+) seconds/, [sourceNumber(`${LOCAL_SEARCH} FRESH_WAIT_MS`) / 1_000]],
  [
    "local-search",
    /no index yet \|.* up to (\d+) seconds/,
    [sourceNumber(`${LOCAL_SEARCH} FIRST_PASS_WAIT_MS`) / 1_000],
  ],
  ["cli-reference", /\(default: tested for (\d+) s, without a verdict\)/, [slowBodySeconds]],
])("docs/%s.md states the numbers that hold: %s", (page, sentence, numbers) => {
  const [, ...stated] = sentence.exec(read(`docs/${page}.md`)) ?? [];
  expect(stated.map((text) => Number(text.replaceAll(",", "")))).toEqual(numbers);
});
