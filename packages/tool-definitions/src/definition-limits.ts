/**
 * Maximum size of a tool's definition in bytes of JSON. Every agent that has the tool keeps the definition in memory.
 */
export const MAX_DEFINITION_BYTES = 131_072;
