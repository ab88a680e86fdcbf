import type { BuiltinName } from "@yagate/protocol";

/** The name of the built-in tool that reads artifacts. */
export const READ_ARTIFACT = "read_artifact" satisfies BuiltinName;
