import { Yagate } from "@yagate/client";
import { YagateError } from "@yagate/protocol";

const VARIABLES = ["YAGATE_BASE_URL", "YAGATE_API_KEY"] as const;

/**
 * A client of the gateway that the environment names.
 *
 * @throws YagateError `NOT_CONFIGURED`, `INVALID_REQUEST`: in the words of a shell, where nobody calls `new Yagate`.
 */
export function gatewayClient(): Yagate {
  const missing = VARIABLES.filter((name) => (process.env[name] ?? "") === "");
  if (missing.length > 0) {
    const verb = missing.length === 1 ? "is" : "are";
    throw new YagateError(
      "NOT_CONFIGURED",
      `expected ${missing.join(" and ")} in the environment, which ${verb} not set`,
      {
        hint: `${missing.map((name) => `export ${name}=…`).join("\n")}\n\nyagate dev prints both lines when it starts`,
      },
    );
  }
  try {
    return new Yagate();
  } catch (cause) {
    if (!YagateError.is(cause)) throw cause;
    const message = cause.message.replaceAll("baseUrl", "YAGATE_BASE_URL").replaceAll("apiKey", "YAGATE_API_KEY");
    throw new YagateError(cause.code, message, { hint: "correct the variable and export it again", cause });
  }
}
