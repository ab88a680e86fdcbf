// The part of the protocol that a handler needs: errors, signatures and names. `index.ts` exports the same names and the
// schemas of the HTTP API, which take most of its loading time.
export { ERROR_TRAITS, type ErrorCode, isErrorCode } from "./errors/error-traits.ts";
export { YagateError, type YagateErrorOptions } from "./errors/yagate-error.ts";
export { MANIFEST_VERSION, MAX_DESCRIBE_BYTES } from "./manifest-limits.ts";
export { schemaHash } from "./schema-hash.ts";
export { type DeclaredOptions, declaredOptionsSchema } from "./schemas/declared-options.ts";
export type { DescribeRequest } from "./schemas/describe-request.ts";
export { type HandlerError, handlerErrorSchema } from "./schemas/handler-error.ts";
export { handlerErrorCodeSchema } from "./schemas/handler-error-code.ts";
export type { JsonObject, JsonValue } from "./schemas/json.ts";
export type { ToolCall } from "./schemas/tool-call.ts";
export type { ManifestTool, ToolManifest } from "./schemas/tool-manifest.ts";
export { toolNameSchema } from "./schemas/tool-name.ts";
export { type SignedAnswer, signAnswer, verifyAnswerSignature } from "./signing/answer-signature.ts";
export { type SignedCallback, signCallback, verifyCallbackSignature } from "./signing/callback-signature.ts";
export { signDescribe, verifyDescribe } from "./signing/describe-signature.ts";
export { type SignedManifest, signManifest, verifyManifest } from "./signing/manifest-signature.ts";
export { secretFingerprint } from "./signing/secret-fingerprint.ts";
export { MAX_CALL_BODY_BYTES, sign } from "./signing/sign.ts";
export { SIGNATURE_HEADER } from "./signing/signed-text.ts";
export {
  generateSigningSecret,
  isSigningSecret,
  MAX_LIVE_SECRETS,
  parseSigningSecret,
} from "./signing/signing-keys.ts";
export {
  STANDARD_WEBHOOK_HEADERS,
  type StandardWebhook,
  type StandardWebhookHeaders,
  signStandardWebhook,
  verifyStandardWebhook,
} from "./signing/standard-webhook.ts";
export { DEFAULT_TOLERANCE_SECONDS } from "./signing/tolerance.ts";
export { verifySignature } from "./signing/verify-signature.ts";
