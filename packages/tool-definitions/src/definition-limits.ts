/** Of a tool's definition, in JSON: every agent that has the tool keeps it in memory. */
export const MAX_DEFINITION_BYTES = 131_072;
