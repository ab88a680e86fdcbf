// Apart from the schemas, which a handler does not load.

/** The version of the manifest's format. */
export const MANIFEST_VERSION = 1;

/** Maximum size of the body of a describe request, in bytes: 8 KiB. */
export const MAX_DESCRIBE_BYTES = 8_192;

/** Maximum size of a manifest, in bytes: 1 MiB. */
export const MAX_MANIFEST_BYTES = 1_048_576;

/** Maximum number of tools in a manifest. */
export const MAX_MANIFEST_TOOLS = 2_000;

/** Maximum size of a tool's description in a manifest, in bytes of UTF-8: 4 KiB. */
export const MAX_MANIFEST_DESCRIPTION_BYTES = 4_096;

/** Maximum size of a tool's parameters in a manifest, in bytes of UTF-8 JSON without white space: 64 KiB. */
export const MAX_MANIFEST_SCHEMA_BYTES = 65_536;

/** Maximum depth of a tool's parameters in a manifest. The schema itself is the first level. */
export const MAX_MANIFEST_SCHEMA_DEPTH = 32;
