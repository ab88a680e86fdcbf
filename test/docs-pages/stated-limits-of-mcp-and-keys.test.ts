import { DAY, HOUR, KIB, MIB, SECOND, type StatedNumber, testStatedNumbers } from "./stated-number.ts";

const MACHINE = "execution-machine/src";

const MCP: readonly StatedNumber[] = [
  ["mcp-server", /JWT of at most ([\d,]+) characters/, "gateway/src/mcp-access/token-access MAX_CHARACTERS"],
  ["mcp-server", /may differ by (\d+) seconds/, "gateway/src/mcp-access/verify-token CLOCK_TOLERANCE_SECONDS"],
  ["mcp-server", /for at most (five) minutes/, "gateway/src/mcp-access/issuer-keys MAX_AGE_MS", 60 * SECOND],
  ["mcp-server", /reason at most once a (minute)/, "gateway/src/mcp-access/issuer-keys UNKNOWN_KEY_MS", 60 * SECOND],
  ["mcp-server", /runs for more than (\d+) seconds/, "gateway/src/exposed-agents/agent-tools CALL_WAIT_MS", SECOND],
  ["mcp-server", /waits for up to (\d+) seconds/, "gateway/src/exposed-agents/agent-tools CALL_WAIT_MS", SECOND],
  ["mcp-server", /may contain at most (\d+) messages/, "gateway/src/http/routes/mcp MAX_BATCH"],
  ["mcp-server", /body may be at most (\d+) MiB/, "gateway/src/http/routes/mcp MAX_BODY_BYTES", MIB],
  ["mcp-servers", /result for a (day)/, "gateway/src/mcp-calls/era-verdicts MAX_AGE_MS", DAY],
  ["mcp-servers", /sign-in within (\d+) minutes/, "gateway/src/mcp-oauth/sign-ins LIFETIME_MS", 60 * SECOND],
  ["mcp-servers", /lists at most (\d+) of them/, "gateway/src/tool-sources/skipped-tools MAX_SHOWN"],
  ["mcp-servers", /`timeout` is (\d+) seconds/, "protocol/src/schemas/call-options DEFAULT_NETWORK_TIMEOUT_MS", SECOND],
  ["mcp-servers", /(\d+) seconds without progress/, "mcp/src/client/in-session DEFAULT_IDLE_MS", SECOND],
  ["mcp-servers", /at most (\d+) rounds/, "protocol/src/schemas/input-request MAX_INPUT_ROUNDS"],
  ["mcp-servers", /more than (\d+) questions/, "protocol/src/schemas/input-request MAX_INPUT_QUESTIONS"],
  ["mcp-servers", /questions or (\d+) fields/, "mcp/src/client/forms MAX_FIELDS"],
  ["mcp-servers", /questions of more than (\d+) KiB/, "mcp/src/client/required-input MAX_QUESTIONS_BYTES", KIB],
  ["mcp-servers", /state of more than (\d+) KiB/, "mcp/src/client/required-input MAX_STATE_BYTES", KIB],
  ["mcp-servers", /called after (\d+) second, then/, `${MACHINE}/input FIRST_POLL_MS`, SECOND],
  ["mcp-servers", /suggests, from (\d+) second to/, "gateway/src/mcp-calls/created-task POLL_BOUNDS_MS.least", SECOND],
  ["mcp-servers", /suggests, from .* to (\d+) hour/, "gateway/src/mcp-calls/created-task most", HOUR],
  ["mcp-servers", /(\d+) seconds if it suggests nothing/, "gateway/src/mcp-calls/created-task DEFAULT_POLL_MS", SECOND],
  ["mcp-servers", /the same, but at least (\d+) seconds/, "gateway/src/mcp-calls/follow-task FAILURE_DELAY_MS", SECOND],
  ["mcp-servers", /task is (\d+) seconds or more away/, `${MACHINE}/effects LONG_WAIT_MS`, SECOND],
  [
    "mcp-servers",
    /`ttlMs`.* by default (\d+) hours/,
    "protocol/src/schemas/tool-call DEFAULT_CALLBACK_EXPIRY_MS",
    HOUR,
  ],
  ["mcp-servers", /task's id \| ([\d,]+) characters/, "mcp/src/client/created-task MAX_TASK_ID_CHARACTERS"],
];

const KEYS_AND_LIMITS: readonly StatedNumber[] = [
  ["keys", /cache a key for a (second)/, "gateway/src/compose/gateway-context SHARED_MAX_AGE_MS", SECOND],
  ["keys", /At most (eight) secrets/i, "protocol/src/signing/signing-keys MAX_LIVE_SECRETS"],
  ["keys", /at most once a (minute) per key/, "gateway/src/secrets/api-keys USE_GRANULARITY_MS", 60 * SECOND],
  [
    "keys",
    /previous secret keeps signing for (\d+) hours/,
    "protocol/src/schemas/secret-overlap DEFAULT_SECRET_OVERLAP_SECONDS",
    HOUR / SECOND,
  ],
  ["endpoints", /cover the last (minute)/, "gateway/src/webhooks/endpoints/attempt-window SECONDS", 60],
  ["egress", /connection for at most a (minute)/, "egress/src/policy MAX_CONNECTION_AGE_MS", 60 * SECOND],
  ["egress", /follows up to (three) redirects/, "egress/src/revalidated-redirects MAX_REDIRECTS"],
  ["large-results", /at most (ten) such paths/, "tool-definitions/src/checks/check-projection MAX_DESCENDING"],
  ["agents-reference", /only the first ([\d,]+) characters/, "models/src/scripted/keyword/question MAX_LENGTH"],
  ["handler-reference", /larger than (\d+) KiB, or `describe`/, "protocol/src/manifest-limits MAX_DESCRIBE_BYTES", KIB],
  ["describing-tools", /manifest may be at most (\d+) MiB/, "protocol/src/manifest-limits MAX_MANIFEST_BYTES", MIB],
  [
    "describing-tools",
    /a description at most (\d+) KiB/,
    "protocol/src/manifest-limits MAX_MANIFEST_DESCRIPTION_BYTES",
    KIB,
  ],
  [
    "describing-tools",
    /parameters of a tool at most (\d+) KiB/,
    "protocol/src/manifest-limits MAX_MANIFEST_SCHEMA_BYTES",
    KIB,
  ],
  ["describing-tools", /KiB and (\d+) levels deep/, "protocol/src/manifest-limits MAX_MANIFEST_SCHEMA_DEPTH"],
  ["describing-tools", /1 to ([\d,]+) tools/, "protocol/src/manifest-limits MAX_MANIFEST_TOOLS"],
  ["describing-tools", /`protocolVersion` \| yes \| (\d+)/, "protocol/src/manifest-limits MANIFEST_VERSION"],
  ["describing-tools", /1 to ([\d,]+) \|/, "protocol/src/schemas/declared-options MAX_TOOL_TIMEOUT_MS"],
  ["describing-tools", /more than (\d+) seconds away/, "protocol/src/signing/tolerance DEFAULT_TOLERANCE_SECONDS"],
  ["composed-tools", /delegate at most (five) times/, "gateway/src/tools/composed/target MAX_DELEGATIONS"],
  [
    "composed-tools-reference",
    /URL of the template \| (\d+)/,
    "tool-definitions/src/request/request-limits MAX_REQUEST_URL_LENGTH",
  ],
  [
    "composed-tools-reference",
    /\| body \| (\d+) bytes/,
    "tool-definitions/src/request/request-limits MAX_REQUEST_BODY_BYTES",
  ],
  [
    "composed-tools-reference",
    /headers together \| (\d+) characters/,
    "tool-definitions/src/request/request-limits MAX_REQUEST_HEADER_CHARACTERS",
  ],
  [
    "http-tools",
    /At most (\d+) bytes; not allowed/,
    "tool-definitions/src/request/request-limits MAX_REQUEST_BODY_BYTES",
  ],
  ["http-tools", /`timeout` \| (\d+) \|/, "protocol/src/schemas/call-options DEFAULT_NETWORK_TIMEOUT_MS"],
  ["http-tools", /last byte of the response; 1 to (\d+)/, "protocol/src/schemas/declared-options MAX_TOOL_TIMEOUT_MS"],
  ["models", /OpenAI and Anthropic \(up to (\d+) domains/, "models/src/hosted/hosted-issues domains"],
];

testStatedNumbers([...MCP, ...KEYS_AND_LIMITS]);
