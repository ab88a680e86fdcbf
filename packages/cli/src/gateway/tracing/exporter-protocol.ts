import { YagateError } from "@yagate/protocol";

const PROTOCOLS = ["http/json", "http/protobuf"] as const;

/** How spans are written for a collector. */
export type ExporterProtocol = (typeof PROTOCOLS)[number];

/** The one for traces alone comes first, as OpenTelemetry has it. */
const VARIABLES = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] as const;

/**
 * The protocol that the environment asks for; default `http/json`.
 *
 * @throws YagateError `INVALID_REQUEST`, with the variable and what to write, for any other one.
 */
export function exporterProtocol(environment: Readonly<Record<string, string | undefined>>): ExporterProtocol {
  const read = (name: string) => (environment[name] ?? "").trim().toLowerCase();
  const name = VARIABLES.find((variable) => read(variable) !== "");
  if (name === undefined) return "http/json";
  const protocol = PROTOCOLS.find((known) => known === read(name));
  if (protocol !== undefined) return protocol;
  const problem = read(name) === "grpc" ? "grpc is not supported" : "there is no such protocol";
  throw new YagateError("INVALID_REQUEST", `${name}: expected ${PROTOCOLS.join(" or ")}; ${problem}`, {
    hint: "Spans go out over HTTP, which a collector takes on port 4318.",
  });
}
