import { YagateError } from "@yagate/protocol";

const EXAMPLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://localhost:4318/v1/traces",
} as const;

/** The variables that contain a collector's URL. */
export const ENDPOINT_VARIABLES = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] as const;

/**
 * Rejects a collector URL that cannot work, because every span would be lost.
 *
 * @throws YagateError `INVALID_REQUEST`, with the variable and an example.
 */
export function checkEndpoints(environment: Readonly<Record<string, string | undefined>>): void {
  for (const name of ENDPOINT_VARIABLES) {
    const given = (environment[name] ?? "").trim();
    if (given === "" || (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol))) continue;
    throw new YagateError("INVALID_REQUEST", `${name}: expected a URL with its scheme, such as ${EXAMPLES[name]}`, {
      hint: "Spans are sent over HTTP. Without the variable, none are sent.",
    });
  }
}
