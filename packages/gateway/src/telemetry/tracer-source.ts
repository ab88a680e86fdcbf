import { ProxyTracerProvider, type Tracer, type TracerProvider, trace } from "@opentelemetry/api";

/** The tracer that spans are written with at the moment; undefined: nobody records any. */
export type TracerSource = () => Tracer | undefined;

const NAME = "@yagate/gateway";

/**
 * Finds the tracer.
 *
 * @param provider - writes the spans; the global one of this process otherwise, once somebody has registered one.
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
