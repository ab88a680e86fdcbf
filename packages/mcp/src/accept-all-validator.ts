import type { JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/server";

/**
 * A validator for the protocol library that accepts every value. The library's own validator compiles schemas to code
 * and runs in the main thread, where a hostile schema would block the process.
 */
export const ACCEPT_ALL_VALIDATOR: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    // The library requires the type of the value, which nothing has checked.
    return (value) => ({ valid: true, data: value as Value, errorMessage: undefined });
  },
};
