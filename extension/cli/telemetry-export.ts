import { createNoopMeter, DiagLogLevel, diag, metrics } from '@opentelemetry/api';
import { Troubles } from '../conversations/troubles';

type Environment = Readonly<Record<string, string | undefined>>;

/** Sends what was collected, and then ends the export. */
type EndExport = () => Promise<void>;

/** Default of the OpenTelemetry specification, in milliseconds. */
const metricIntervalMs = 60_000;

/**
 * Sends spans and metrics to an OpenTelemetry collector if the standard variables name one, by OTLP over HTTP as JSON. Nothing
 * is loaded otherwise, nor if the process was started with an SDK of its own.
 */
export async function exportTelemetry(env: Environment, tell: (message: string) => void): Promise<EndExport> {
  const wanted = { traces: isWanted(env, 'TRACES', tell), metrics: isWanted(env, 'METRICS', tell) };
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || !(wanted.traces || wanted.metrics) || hasSdk())
    return async () => undefined;
  const troubles = new Troubles(tell);
  const report = (message: string) => troubles.tell(`OpenTelemetry: ${oneLine(message)}`);
  const quiet = () => undefined;
  diag.setLogger({ error: report, warn: report, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes, serviceInstanceIdDetector } =
    await import('@opentelemetry/resources');
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'strata' }))
    // Without an id per process, the metrics of several processes would be mixed.
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
  const ends: EndExport[] = [];
  if (wanted.traces) {
    const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const provider = new NodeTracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    provider.register();
    ends.push(() => provider.shutdown());
  }
  if (wanted.metrics) {
    const { MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics');
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
    const exportIntervalMillis = Number(env.OTEL_METRIC_EXPORT_INTERVAL) || metricIntervalMs;
    const exportTimeoutMillis = Math.min(exportIntervalMillis, Number(env.OTEL_METRIC_EXPORT_TIMEOUT) || 30_000);
    const reader = new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter(),
      exportIntervalMillis,
      exportTimeoutMillis,
    });
    const provider = new MeterProvider({ resource, readers: [reader] });
    metrics.setGlobalMeterProvider(provider);
    ends.push(() => provider.shutdown());
  }
  return async () => {
    for (const outcome of await Promise.allSettled(ends.map((end) => end())))
      if (outcome.status === 'rejected') report(String(outcome.reason));
  };
}

/** A signal is sent if its exporter is `otlp`, which is the default if an address is set. */
function isWanted(env: Environment, signal: 'TRACES' | 'METRICS', tell: (message: string) => void): boolean {
  const exporter = env[`OTEL_${signal}_EXPORTER`]?.trim();
  if (exporter === 'none') return false;
  if (exporter && exporter !== 'otlp') {
    tell(`OTEL_${signal}_EXPORTER: there is no exporter "${exporter}" in strata, only otlp and none.`);
    return false;
  }
  const address = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return exporter === 'otlp' || Boolean(address);
}

/** Started with `node --import`, for example. */
function hasSdk(): boolean {
  return metrics.getMeter('strata') !== createNoopMeter();
}

/** The SDK writes errors as JSON with their stack. */
function oneLine(message: string): string {
  const [, said] = /"message":"((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  return ((said ?? message).split('\n', 1)[0] ?? '').replace(/^Error: /, '');
}
