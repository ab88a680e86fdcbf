import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const KIB = 1_024;
const MIB = 1_048_576;
const MB = 1_000_000;

const WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

/** A number as a page writes it: "10,000" or "ten". */
const stated = (text: string) => (WORDS.includes(text) ? WORDS.indexOf(text) : Number(text.replaceAll(",", "")));

/**
 * A number from the source, often one that its module does not export.
 *
 * @param where - the file, without `packages/` and `.ts`, and the name of a constant, of a member, or of both.
 */
function sourceNumber(where: string): number {
  const [path = "", name = ""] = where.split(" ");
  const declared = name.replace(".", " = { ");
  const text = new RegExp(`\\b${declared}(?:: [\\w<>]+)?(?: =|:) ([\\d_.* ]+)n?[;,} ]`).exec(
    read(`packages/${path}.ts`),
  );
  if (text?.[1] === undefined) throw new Error(`packages/${path}.ts: expected a number ${name}`);
  return text[1].split("*").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1);
}

type Row = readonly [page: string, sentence: RegExp, where: string, unit?: number];

const MACHINE = "gateway/src/executions/machine";
const TOKENS = `${MACHINE}/result-tokens`;
const SIZES = "models/src/response-limits";
const STANDARD = "protocol/src/schemas/plan";
const OPENAPI = "tool-definitions/src/openapi/openapi-import";
const READINESS = "gateway/src/http/readiness/readiness";
const HANDLER_ERROR = "gateway/src/webhooks/response/handler-error";
const SEND_ATTEMPT = "gateway/src/webhooks/send/send-attempt";
const BREAKER = "gateway/src/webhooks/endpoints/circuit-breaker";
const WEAK_KEYS = "gateway/src/config/weak-keys";
const MEMORY_STORE = "handler/src/idempotency/memory-store";
const SEARCH = "builtins/src/search";
const PATHS = "lib/src/artifacts/json-path";

const AGENTS: readonly Row[] = [
  ["composed-tools-reference", /at most (\w+) delegations/, "gateway/src/tools/composed/target MAX_DELEGATIONS"],
  ["agents-reference", /128 tools in (\d+) \[tool slots/, "protocol/src/schemas/workspace-tool MAX_TOOL_SLOTS"],
  ["agents-reference", /network error, .*at most (\w+) times/, `${MACHINE}/interpret MAX_MODEL_RETRIES`],
  [
    "agents-reference",
    /strings to ([\d,]+) characters/,
    "tool-definitions/src/arguments/recordable-arguments MAX_TEXT_CHARACTERS",
  ],
  ["agents-reference", /pauses of (\d+) seconds or more/, `${MACHINE}/effects LONG_WAIT_MS`, SECOND],
  ["agents-reference", /model turn with more than (\d+) calls fails/, "protocol/src/schemas/limits MAX_CALLS_PER_TURN"],
  ["agents-reference", /estimated at (\w+) characters per token/, "lib/src/text/token-estimate CHARACTERS_PER_TOKEN"],
  ["model-replies", /\| (\d+) MiB \| a complete reply/, `${SIZES} bytes`, MIB],
  ["model-replies", /MiB, ([\d,]+) chunks/, `${SIZES} pieces`],
  ["model-replies", /\| ([\d,]+) objects and arrays/, `${SIZES} containers`],
  ["model-replies", /objects and arrays, ([\d,]+) values/, `${SIZES} values`],
  ["model-replies", /\| (\d+) levels of objects/, `${SIZES} depth`],
  ["model-replies", /\| ([\d,]+) texts, reasoning/, `${SIZES} parts`],
  ["model-replies", /\| ([\d,]+) tool calls/, "protocol/src/schemas/limits MAX_CALLS_PER_TURN"],
  ["models", /at most (\d+) of its model calls/, "protocol/src/schemas/model-call MAX_MODEL_CALLS"],
  ["models", /OpenAI: more than (\d+) characters/, "models/src/preflight/openai-rules MAX_DESCRIPTION"],
  ["providers", /retries up to (\w+) times/, `${MACHINE}/interpret MAX_MODEL_RETRIES`],
  ["providers", /quotes at most (\d+) characters/, "models/src/model-errors MAX_PROVIDER_MESSAGE_LENGTH"],
  [
    "workspace-tools",
    /definition may be at most (\d+) KiB/,
    "tool-definitions/src/definition-limits MAX_DEFINITION_BYTES",
    KIB,
  ],
  ["workspace-tools", /share (\d+) slots/, "protocol/src/schemas/workspace-tool MAX_TOOL_SLOTS"],
  ["openapi-import", /creates at most (\d+) drafts/, `${OPENAPI} maxOperations`],
  ["openapi-import", /import together \| ([\d,]+) characters/, `${OPENAPI} maxCharacters`],
  ["openapi-import", /characters \(([\d,]+) in YAML/, `${OPENAPI} maxYamlCharacters`],
  ["openapi-import", /YAML\), ([\d,]+) values/, `${OPENAPI} maxNodes`],
  ["openapi-import", /values, (\d+) levels/, `${OPENAPI} maxDepth`],
  ["openapi-import", /\| drafts from an import \| (\d+)/, `${OPENAPI} maxOperations`],
  ["openapi-import", /\| time \| (\d+) seconds/, `${OPENAPI} timeoutMs`, SECOND],
  [
    "openapi-import",
    /longer than (\d+) characters, the import truncates/,
    "protocol/src/schemas/tool-name MAX_TOOL_NAME_LENGTH",
  ],
  [
    "rest-tools-reference",
    /headers are longer than ([\d,]+) /,
    "tool-definitions/src/request/request-limits MAX_REQUEST_HEADER_CHARACTERS",
  ],
  [
    "rest-tools-reference",
    /body is larger than (\d+) KiB/,
    "tool-definitions/src/request/request-limits MAX_REQUEST_BODY_BYTES",
    KIB,
  ],
  [
    "rest-tools-reference",
    /URL is longer than ([\d,]+) /,
    "tool-definitions/src/request/request-limits MAX_REQUEST_URL_LENGTH",
  ],
  [
    "composed-tools-reference",
    /\| template \| (\d+) characters/,
    "gateway/src/tools/checks/check-composed-tools maxCharacters",
  ],
  [
    "composed-tools-reference",
    /template \| .*?, (\d+) levels/,
    "gateway/src/tools/checks/check-composed-tools maxDepth",
  ],
  [
    "composed-tools-reference",
    /levels and (\d+) placeholders/,
    "gateway/src/tools/checks/check-composed-tools MAX_PLACEHOLDERS",
  ],
  ["http-tools", /at most (\d+) headers/, "gateway/src/tools/http/primitives/request-headers MAX_HEADERS"],
  [
    "http-tools",
    /At most (\d+) characters including/,
    "tool-definitions/src/request/request-limits MAX_REQUEST_URL_LENGTH",
  ],
  ["http-tools", /up to (\d+) KiB of each/, "gateway/src/calls/exchange-record MAX_RECORDED_BODY_BYTES", KIB],
  ["integrations", /can have (\d+) integrations/, "protocol/src/schemas/integration MAX_INTEGRATIONS"],
  ["integrations", /more than (\d+) in total/, "gateway/src/tools/checks/check-agent-secrets MAX_SECRETS"],
  ["secret-leaks", /limited to (\d+) in total/, "gateway/src/tools/checks/check-agent-secrets MAX_SECRETS"],
  [
    "secret-leaks",
    /and (\d+) or more characters at its end/,
    "lib/src/redaction/search/secret-search MIN_BEGINNING_BYTES",
  ],
];

const CALLS: readonly Row[] = [
  ["tool-calls", /up to (\d+) ms · 2ⁿ/, `${MACHINE}/retry BASE_DELAY_MS`],
  ["tool-calls", /2ⁿ, at most (\d+) s/, `${MACHINE}/retry MAX_DELAY_MS`, SECOND],
  ["tool-calls", /longer than ([\d,]+) characters, the model reads a preview/, `${TOKENS} MAX_RESULT_CHARACTERS`],
  ["tool-calls", /error that is longer than ([\d,]+) characters/, `${TOKENS} MAX_ERROR_CHARACTERS`],
  ["tool-calls", /may be at most ([\d,]+) bytes/, "gateway/src/http/routes/callbacks MAX_CALLBACK_BYTES"],
  ["tool-calls", /up to (\d+) KiB of each body/, "gateway/src/calls/exchange-record MAX_RECORDED_BODY_BYTES", KIB],
  ["tool-calls", /`expiresAt` is (\d+) hours/, "protocol/src/schemas/tool-call DEFAULT_CALLBACK_EXPIRY_MS", HOUR],
  [
    "tool-calls",
    /responses are kept for (\d+) days/,
    "store/src/retention/retention DEFAULT_EXCHANGE_RETENTION_MS",
    DAY,
  ],
  [
    "async-tools",
    /`expiresAt`, by default (\d+) hours/,
    "protocol/src/schemas/tool-call DEFAULT_CALLBACK_EXPIRY_MS",
    HOUR,
  ],
  ["async-tools", /`timeoutMs` \| (\d+)/, "handler/src/callback/complete-tool-call DEFAULT_TIMEOUT_MS"],
  ["async-tools", /`timeoutMs` .* 1 to ([\d,]+)/, "handler/src/callback/complete-tool-call MAX_TIMEOUT_MS"],
  ["async-tools", /body is larger than ([\d,]+) bytes/, "gateway/src/http/routes/callbacks MAX_CALLBACK_BYTES"],
  ["approvals", /`expiresAt` is (\d+) days/, "protocol/src/schemas/approval DEFAULT_APPROVAL_EXPIRY_MS", DAY],
  ["approvals", /limited to (\d+) characters/, "protocol/src/schemas/approval MAX_APPROVAL_TEXT"],
  ["endpoints", /about (\d+) days after its last call/, "store/src/retention/retention UNUSED_ENDPOINT_MS", DAY],
  [
    "endpoints",
    /remembers up to ([\d,]+) endpoints/,
    "gateway/src/webhooks/endpoints/endpoint-registry MAX_ENDPOINTS_IN_MEMORY",
  ],
  ["endpoints", /After (\d+) to 10 seconds/, "gateway/src/executions/run/effect-runner POSTPONE_MS", SECOND],
  ["endpoints", /up to (\d+) connections/, "egress/src/policy connectionsPerOrigin"],
  ["endpoints", /at least (\d+) % of/, `${BREAKER} leastFailurePercent`],
  ["endpoints", /of at least (\d+) attempts/, `${BREAKER} leastAttempts`],
  ["endpoints", /After (\d+) seconds the gateway sends one/, `${BREAKER} restMs`, SECOND],
  ["egress", /at most ([\d,]+) characters/, "egress/src/policy urlLength"],
  ["egress", /idle for more than (\d+) seconds/, "egress/src/policy keepAliveMs", SECOND],
  ["errors", /body of the response is larger than ([\d,]+) bytes/, `${SEND_ATTEMPT} DEFAULT_MAX_RESPONSE_BYTES`],
  ["errors", /its headers are larger than (\d+) KiB/, "egress/src/policy responseHeaderBytes", KIB],
  ["errors", /body is larger than (\d+) MiB/, "gateway/src/http/route DEFAULT_MAX_BODY_BYTES", MIB],
  ["errors", /new executions, larger than (\d+) MiB/, "gateway/src/http/routes/agents MAX_AGENT_BYTES", MIB],
  ["errors", /for callbacks, larger than ([\d,]+) bytes/, "gateway/src/http/routes/callbacks MAX_CALLBACK_BYTES"],
  ["errors", /or more than (\d+) entries/, "protocol/src/signing/signature-header MAX_ENTRIES"],
  ["errors", /more than (\d+) s in the past/, "protocol/src/signing/tolerance DEFAULT_TOLERANCE_SECONDS"],
  ["errors", /more than (\d+) s in the future/, "protocol/src/signing/tolerance DEFAULT_TOLERANCE_SECONDS"],
  ["networks", /at most ([\d,]+) bytes of a handler's response/, `${SEND_ATTEMPT} DEFAULT_MAX_RESPONSE_BYTES`],
  ["networks", /up to (\d+) of the other workspaces/, "gateway/src/compose/shared-networks-report MAX_NAMED"],
  ["handler-reference", /a list of up to (\d+)/, "protocol/src/signing/signing-keys MAX_LIVE_SECRETS"],
  ["handler-reference", /`toleranceSeconds` \| (\d+)/, "protocol/src/signing/tolerance DEFAULT_TOLERANCE_SECONDS"],
  ["handler-reference", /reads at most ([\d,]+) bytes/, `${SEND_ATTEMPT} DEFAULT_MAX_RESPONSE_BYTES`],
  ["handler-reference", /`message` to ([\d,]+) characters/, `${HANDLER_ERROR} MAX_MESSAGE_CHARACTERS`],
  ["handler-reference", /`hint` to ([\d,]+)/, `${HANDLER_ERROR} MAX_HINT_CHARACTERS`],
  ["handler-reference", /`details` larger than (\d+) KiB/, `${HANDLER_ERROR} MAX_DETAILS_BYTES`, KIB],
  ["handler-reference", /\(at most (\d+) seconds/, "gateway/src/webhooks/send/late-watches MAX_WATCH_MS", SECOND],
  [
    "handler-reference",
    /at most (\w+) connections to an endpoint/,
    "gateway/src/webhooks/send/late-watches MAX_WATCHES_PER_ENDPOINT",
  ],
  ["handling-errors", /up to (\d+) KiB/, `${HANDLER_ERROR} MAX_DETAILS_BYTES`, KIB],
  ["idempotency-stores", /keeps up to ([\d,]+) calls/, `${MEMORY_STORE} DEFAULT_MAX_ENTRIES`],
  ["idempotency-stores", /characters \((\d+) × 2²⁰\)/, `${MEMORY_STORE} DEFAULT_MAX_CHARACTERS`, MIB],
  [
    "idempotency-stores",
    /`timeoutMs` \| all except memory \| ([\d,]+) /,
    "handler/src/idempotency/shared/store-options DEFAULT_TIMEOUT_MS",
  ],
  ["idempotency-stores", /longer than ([\d,]+) characters/, "handler/src/idempotency/fingerprint MAX_TEXT_LENGTH"],
  ["idempotency-stores", /at most (\d+) expired entries/, "handler/src/idempotency/shared/expired-entries BATCH"],
  ["idempotency-stores", /`maxEntries` \| memory \| ([\d,]+) \|/, `${MEMORY_STORE} DEFAULT_MAX_ENTRIES`],
  ["idempotency-stores", /`maxCharacters` \| memory \| ([\d,]+) \|/, `${MEMORY_STORE} DEFAULT_MAX_CHARACTERS`],
  ["writing-a-handler", /up to ([\d,]+) calls/, `${MEMORY_STORE} DEFAULT_MAX_ENTRIES`],
  ["writing-a-handler", /characters \((\d+) × 2²⁰\)/, `${MEMORY_STORE} DEFAULT_MAX_CHARACTERS`, MIB],
  [
    "verify-in-any-language",
    /more than (\d+) seconds away/,
    "protocol/src/signing/tolerance DEFAULT_TOLERANCE_SECONDS",
  ],
  ["verify-in-any-language", /413 for more than (\d+) MiB/, "protocol/src/signing/sign MAX_CALL_BODY_BYTES", MIB],
  ["writing-a-handler", /first (\d+) digits of its SHA-256/, "protocol/src/signing/secret-fingerprint BYTES", 0.5],
  ["conformance-cases", /Timestamps stay (\d+) s/, "cli/src/conformance/cases/vector-cases MOST_MARGIN_SECONDS"],
];

const RESULTS: readonly Row[] = [
  ["text-summarizer", /(\w+) parts at a time/, "builtins/src/text-summarizer/model/summarize-with-model AT_ONCE"],
  ["large-results", /longer than ([\d,]+) characters\./, `${TOKENS} MAX_RESULT_CHARACTERS`],
  ["large-results", /preview has at most ([\d,]+) characters/, `${TOKENS} MAX_PREVIEW_CHARACTERS`],
  ["large-results", /error becomes .* longer than ([\d,]+) characters/, `${TOKENS} MAX_ERROR_CHARACTERS`],
  [
    "large-results",
    /first ([\d,]+) characters of an untrusted/,
    "gateway/src/executions/run/read-result MAX_SCANNED_CHARACTERS",
  ],
  ["large-results", /`length` is (\d+) by default/, "protocol/src/schemas/artifact DEFAULT_ARTIFACT_PIECE_CHARACTERS"],
  ["large-results", /by default and at most (\d+)/, "protocol/src/schemas/artifact MAX_ARTIFACT_PIECE_CHARACTERS"],
  ["large-results", /path has at most ([\d,]+) characters/, `${PATHS}/parse-json-path MAX_PATH_CHARACTERS`],
  ["large-results", /characters, (\d+) segments/, `${PATHS}/parse-json-path MAX_PARTS`],
  ["large-results", /and (\d+) selectors/, `${PATHS}/parse-json-path MAX_PARTS`],
  ["large-results", /stops after ([\d,]+) values/, `${PATHS}/select-values maxValues`],
  ["large-results", /values, (\d+) MiB of JSON/, `${PATHS}/select-values maxCharacters`, MIB],
  ["large-results", /or ([\d,]+) examined values/, `${PATHS}/select-values maxVisits`],
  ["untrusted-content", /at most ([\d,]+) characters/, "builtins/src/web/injection/find-injections MAX_CHARACTERS"],
  ["url-fetch", /after at most (\d+) redirects/, "builtins/src/web/fetching/follow-page MAX_REDIRECTS"],
  ["url-fetch", /more than (\d+) redirects/, "builtins/src/web/fetching/follow-page MAX_REDIRECTS"],
  ["url-fetch", /first (\d+) links/, "builtins/src/url-fetch/page-result MAX_LINKS"],
  ["url-fetch", /first (\d+) KiB of the file/, "builtins/src/web/robots/robots-cache MAX_BYTES", KIB],
  ["url-fetch", /within (\d+) seconds/, "builtins/src/url-fetch/url-fetch-tool TIMEOUT_MS", SECOND],
  ["url-fetch", /more than (\d+) MB/, "builtins/src/web/fetching/page-fetcher DEFAULT_MAX_BYTES", MB],
  [
    "web-search",
    /requests, at most an hour; (\d+) s if it does not say/,
    `${SEARCH}/asking/cool-downs rate_limited`,
    SECOND,
  ],
  [
    "web-search",
    /at most an hour; (\d+) s if it does not say\. If no/,
    `${SEARCH}/asking/cool-downs unavailable`,
    SECOND,
  ],
  ["web-search", /rejected \| (\d+) s/, `${SEARCH}/asking/cool-downs misconfigured`, SECOND],
  ["web-search", /at most (\d+) results and/, `${SEARCH}/create-search maxEntries`],
  ["web-search", /results and (\d+) pages/, `${SEARCH}/create-search MAX_PAGES.maxEntries`],
  ["web-search-reference", /at most (\d+) seconds each/, `${SEARCH}/pages/read-pages MAX_PAGE_MS`, SECOND],
  ["web-search-reference", /their first (\d+) words/, `${SEARCH}/evidence/shingles MAX_SHINGLES`],
  ["web-search-reference", /at least (\d+) % of their five-word/, `${SEARCH}/evidence/merge-mirrors SAME`, 0.01],
  ["web-search-reference", /at least (\d+) % of the sequences/, `${SEARCH}/evidence/merge-mirrors CONTAINED`, 0.01],
  ["web-search-reference", /their (\w+)-word sequences/, `${SEARCH}/evidence/shingles WORDS`],
  ["web-search-reference", /more than (\d+) % of the budget/, `${SEARCH}/evidence/compress MAX_SHARE`, 0.01],
  ["local-search", /up to (\d+) levels deep/, `${SEARCH}/local/index/walk-folder MAX_DEPTH`],
  ["local-search", /files above (\d+) MB/, `${SEARCH}/local/index/index-limits maxFileBytes`, MB],
  ["local-search", /first (\d+) KiB/, `${SEARCH}/local/documents/decode-text SNIFFED_BYTES`, KIB],
  ["local-search", /past ([\d,]+) documents/, `${SEARCH}/local/index/index-limits maxFiles`],
  ["local-search", /documents or (\d+) GB/, `${SEARCH}/local/index/index-limits maxTotalBytes`, 1_000 * MB],
  ["local-search", /about ([\d,]+) characters/, `${SEARCH}/local/documents/passages WANTED_CHARACTERS`],
  [
    "json-validator",
    /at most ([\d,]+) characters and states how many it omits/,
    "builtins/src/json-validator/limits maxMessageCharacters",
  ],
  ["json-validator", /up to (\d+) values/, "builtins/src/json-validator/limits maxSamples"],
  ["json-validator", /more than (\d+) different names/, "builtins/src/json-validator/inference/infer-schema MAX_NAMES"],
  ["calculator", /up to (\d+) digits/, "builtins/src/calculator/decimal KEPT_DIGITS"],
  ["calculator-reference", /(\d+) significant digits/, "builtins/src/calculator/decimal DOUBLE"],
  ["calculator-reference", /up to (\d+)\)/, "builtins/src/calculator/functions LARGEST_FACTORIAL"],
  ["text-summarizer", /at most (\d+) seconds/, "builtins/src/text-summarizer/text-summarizer-tool TIMEOUT_MS", SECOND],
  [
    "text-summarizer",
    /and (\d+) of them are reserved/,
    "builtins/src/text-summarizer/text-summarizer-tool mostMs",
    SECOND,
  ],
  ["text-summarizer", /up to ([\d,]+) tokens/, "builtins/src/text-summarizer/model/summarize-with-model usual"],
  ["text-summarizer", /parts of ([\d,]+) tokens/, "builtins/src/text-summarizer/model/summarize-with-model most"],
];

const OPERATION: readonly Row[] = [
  ["conformance", /fewer than (\w+)/, "cli/src/conformance/cases/duplicates-at-once LEAST_TOGETHER"],
  ["operations", /less than (\w+) seconds ago/, "store/src/events/write-health REFUSED_FOR_MS", SECOND],
  ["operations", /begins (\w+) minute after/, "store/src/retention/retention-pass FIRST_PASS_AFTER_MS", 60 * SECOND],
  ["operations", /follow every (\w+) minutes/, "store/src/retention/retention-pass PASS_INTERVAL_MS", 60 * SECOND],
  [
    "executions",
    /`Prefer: wait=<seconds>`, at most (\d+)/,
    "gateway/src/http/requests/request-preferences MAX_WAIT_SECONDS",
  ],
  ["executions", /caller, at most (\d+) KiB/, "protocol/src/schemas/execution MAX_CALLER_BYTES", KIB],
  ["executions", /JSON, at most (\d+) KiB/, "protocol/src/schemas/execution MAX_METADATA_BYTES", KIB],
  ["executions", /applies for (\d+) hours/, "gateway/src/executions/service/execution-service IDEMPOTENCY_MS", HOUR],
  ["executions", /If the wait is (\d+) seconds/, `${MACHINE}/effects LONG_WAIT_MS`, SECOND],
  ["executions", /up to (\d+) names/, "gateway/src/http/requests/execution-query MAX_METADATA_FILTERS"],
  ["executions", /comment every (\d+) seconds/, "gateway/src/http/responses/event-stream DEFAULT_HEARTBEAT_MS", SECOND],
  ["browser", /silent for up to (\d+) seconds/, "gateway/src/http/responses/event-stream DEFAULT_HEARTBEAT_MS", SECOND],
  ["browser", /have (\d+) open streams/, `${STANDARD} eventStreams`],
  ["browser", /and (\d+) per execution/, `${STANDARD} eventStreamsPerExecution`],
  ["browser", /\(1 to (\d+), default/, "protocol/src/schemas/execution-token MAX_EXECUTION_TOKEN_SECONDS"],
  ["browser", /3600, default (\d+)\)/, "protocol/src/schemas/execution-token DEFAULT_EXECUTION_TOKEN_SECONDS"],
  ["http-api", /\(1 to (\d+), default/, "protocol/src/schemas/page MAX_PAGE_LIMIT"],
  ["http-api", /200, default (\d+)\)/, "protocol/src/schemas/page DEFAULT_PAGE_LIMIT"],
  ["audit", /reads (\d+) entries at a time/, "cli/src/audit/list PAGE_LIMIT"],
  ["audit", /kept for (\d+) days/, "protocol/src/schemas/audit DEFAULT_AUDIT_RETENTION_DAYS"],
  [
    "running-the-gateway",
    /comment every (\d+) seconds/,
    "gateway/src/http/responses/event-stream DEFAULT_HEARTBEAT_MS",
    SECOND,
  ],
  ["running-the-gateway", /`--port <port>` \|.*Default: (\d+)/, "gateway/src/config/gateway-config DEFAULT_PORT"],
  ["running-the-gateway", /deleted (\d+) days after/, "cli/src/gateway/dev RETENTION_DAYS"],
  ["running-the-gateway", /at least (\d+) characters/, `${WEAK_KEYS} MIN_API_KEY_CHARACTERS`],
  ["running-the-gateway", /at least (\d+) of them different/, `${WEAK_KEYS} MIN_DIFFERENT_CHARACTERS`],
  ["running-the-gateway", /32 random bytes, at least (\d+) of them/, `${WEAK_KEYS} MIN_DIFFERENT_BYTES`],
  ["operations", /healthy result for (\d+) ms/, `${READINESS} GOOD_FOR_MS`],
  ["operations", /longer than (\d+) seconds counts as failed/, `${READINESS} DEFAULT_TIMEOUT_MS`, SECOND],
  ["operations", /deletes (\d+) executions/, "store/src/retention/retention-pass BATCH"],
  ["operations", /pauses (\w+) times as long/, "store/src/retention/retention-pass PAUSE_TIMES"],
  ["operations", /yagate dev`, (\d+) days after/, "cli/src/gateway/dev RETENTION_DAYS"],
  ["operations", /came late \| (\d+) days/, "store/src/retention/retention DEFAULT_EXCHANGE_RETENTION_MS", DAY],
  [
    "operations",
    /idempotency keys \| (\d+) hours/,
    "gateway/src/executions/service/execution-service IDEMPOTENCY_MS",
    HOUR,
  ],
  ["operations", /about (\d+) days after their last call/, "store/src/retention/retention UNUSED_ENDPOINT_MS", DAY],
  ["operations", /more than (\d+) GiB/, "gateway/src/compose/large-store-warning LARGE_STORE_BYTES", 1_024 * MIB],
  ["operations", /has ([\d,]+) characters or more/, "store/src/events/texts-apart MIN_APART_CHARACTERS"],
  ["operations", /batches of (\d+)/, "store/src/postgres/stored-bytes EXECUTIONS_PER_LOOK"],
  ["operations", /(\d+) values per commit/, "gateway/src/secrets/resealing BATCH"],
  ["postgresql", /lease of (\d+) seconds/, "gateway/src/scheduler/lease LEASE_MS", SECOND],
  ["postgresql", /renews it every (\d+) seconds/, "gateway/src/scheduler/lease RENEW_EVERY_MS", SECOND],
  ["postgresql", /waits at least (\d+) seconds/, `${MACHINE}/effects LONG_WAIT_MS`, SECOND],
  [
    "postgresql",
    /for up to (\d+) seconds after that replica has died/,
    "store/src/postgres/text-relay/wanted-texts WANTED_MS",
    SECOND,
  ],
  ["postgresql", /notices this within (\d+) seconds/, "store/src/postgres/stored-forms MAX_AGE_MS", SECOND],
  ["quotas", /new rows every (\d+) seconds/, "store/src/quotas/follow-stored-bytes EVERY_MS", SECOND],
  ["quotas", /`maxRetries` times \((\d+) by default/, "client/src/options DEFAULT_MAX_RETRIES"],
  ["quotas", /`agents` \| (\d+)/, `${STANDARD} agents`],
  ["quotas", /`tools` \| (\d+)/, `${STANDARD} tools`],
  ["quotas", /`secrets` \| (\d+)/, `${STANDARD} secrets`],
  ["quotas", /`pendingExecutions` \| (\d+)/, `${STANDARD} pendingExecutions`],
  ["quotas", /`storedBytes` \| (\d+)/, `${STANDARD} storedBytes`],
  ["quotas", /`eventStreams` \| (\d+)/, `${STANDARD} eventStreams`],
  ["quotas", /`eventStreamsPerExecution` \| (\d+)/, `${STANDARD} eventStreamsPerExecution`],
  ["quotas", /`requestsPerSecond` \| (\d+)/, `${STANDARD} requestsPerSecond`],
  ["quotas", /`requestBytesInFlight` \| (\d+)/, `${STANDARD} requestBytesInFlight`],
  ["telemetry", /up to (\d+) seconds to send/, "cli/src/gateway/tracing/start-tracing SHUTDOWN_MS", SECOND],
  ["telemetry", /first (\d+) characters of each/, "gateway/src/telemetry/spans/content-preview MAX_PREVIEW"],
  ["telemetry-reference", /one every (\d+) seconds/, "gateway/src/scheduler/lease RENEW_EVERY_MS", SECOND],
];

for (const [page, sentence, where, unit = 1] of [...AGENTS, ...CALLS, ...RESULTS, ...OPERATION]) {
  it(`docs/${page}.md: ${sentence} is ${where}`, () => {
    const [, text] = sentence.exec(read(`docs/${page}.md`)) ?? [];
    expect(text === undefined ? "no such sentence" : stated(text.trim())).toBeCloseTo(sourceNumber(where) / unit, 9);
  });
}
