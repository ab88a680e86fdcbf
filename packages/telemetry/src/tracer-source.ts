import { ProxyTracerProvider, type Tracer, type TracerProvider, trace } from "@opentelemetry/api";

/** Returns the current tracer; undefined if no spans are recorded. */
export type TracerSource = () => Tracer | undefined;

const NAME = "@yagate/gateway";

/**
 * Creates the source of the tracer.
 *
 * @param provider - writes the spans; default: the global provider of this process, once one is registered.
 */
export function createTracerSource(version: string, provider?: TracerProvider): TracerSource {
  if (provider !== undefined) {
    const tracer = provider.getTracer(NAME, version);
    return () => tracer;
  }
  return () => {
    const global = trace.getTracerProvider();
    return global instanceof ProxyTracerProvider
      ? global.getDelegateTracer(NAME, version)
      : global.getTracer(NAME, version);
  };
}
