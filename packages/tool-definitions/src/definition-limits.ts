/** Maximum size of a tool's definition as JSON: every agent that has the tool keeps it in memory. */
export const MAX_DEFINITION_BYTES = 131_072;
