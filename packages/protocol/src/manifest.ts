// How handlers describe their tools: describe requests and manifests. It is a part of its own, so that handlers load it
// when they are first asked, and not for each call. `index.ts` exports the same names.
export {
  MANIFEST_VERSION,
  MAX_DESCRIBE_BYTES,
  MAX_MANIFEST_BYTES,
  MAX_MANIFEST_DESCRIPTION_BYTES,
  MAX_MANIFEST_SCHEMA_BYTES,
  MAX_MANIFEST_SCHEMA_DEPTH,
  MAX_MANIFEST_TOOLS,
} from "./manifest-limits.ts";
export { parseManifest } from "./parse-manifest.ts";
export { type DescribeRequest, describeRequestSchema } from "./schemas/describe-request.ts";
export { describeRequestIdSchema } from "./schemas/ids.ts";
export {
  type ManifestTool,
  manifestToolSchema,
  type ToolManifest,
  toolManifestSchema,
} from "./schemas/tool-manifest.ts";
export { signDescribe, verifyDescribe } from "./signing/describe-signature.ts";
export { type SignedManifest, signManifest, verifyManifest } from "./signing/manifest-signature.ts";
