import { YagateError } from "@yagate/protocol";

const PROTOCOLS = ["http/json", "http/protobuf"] as const;

/** Wire formats for spans. */
export type ExporterProtocol = (typeof PROTOCOLS)[number];

/** The variables that set the protocol. As in OpenTelemetry, the variable for traces takes precedence. */
const VARIABLES = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] as const;

/**
 * Returns the protocol that the environment sets; default `http/json`.
 *
 * @throws YagateError `INVALID_REQUEST` for an unknown protocol, with the variable and the valid values.
 */
export function exporterProtocol(environment: Readonly<Record<string, string | undefined>>): ExporterProtocol {
  const read = (name: string) => (environment[name] ?? "").trim().toLowerCase();
  const name = VARIABLES.find((variable) => read(variable) !== "");
  if (name === undefined) return "http/json";
  const protocol = PROTOCOLS.find((known) => known === read(name));
  if (protocol !== undefined) return protocol;
  const problem = read(name) === "grpc" ? "grpc is not supported" : "this is not a known protocol";
  throw new YagateError("INVALID_REQUEST", `${name}: expected ${PROTOCOLS.join(" or ")}; ${problem}`, {
    hint: "Spans are sent over HTTP; the HTTP port of a collector is usually 4318.",
  });
}
