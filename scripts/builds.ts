import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type BuildEnvironmentOptions, build, createLogger, type InlineConfig, mergeConfig, type Rolldown } from 'vite';
import { type BuildName, builds } from '../vite.config.ts';
import { isStale, recordInputs } from './inputs.ts';

/** Builds once and prints one line, followed by the warnings. */
export async function buildOnce(name: BuildName): Promise<void> {
  const started = performance.now();
  const warnings = await buildQuietly(name);
  console.log(`${name.padEnd(10)} ${secondsSince(started)} s`);
  for (const warning of warnings) console.warn(`${name}: ${warning}`);
}

/**
 * Runs the builds that are older than their sources, side by side, and returns their names. Does not print warnings.
 */
export async function buildStale(names: readonly BuildName[]): Promise<readonly BuildName[]> {
  const stale = await Promise.all(names.map((name) => isStale(name)));
  const old = names.filter((_, index) => stale[index]);
  await Promise.all(old.map(buildQuietly));
  return old;
}

async function buildQuietly(name: BuildName): Promise<readonly string[]> {
  const warnings: string[] = [];
  await build(configOf(name, (warning) => warnings.push(warning)));
  return warnings;
}

/** Builds now and after each change of a source file. */
export async function watchBuild(name: BuildName): Promise<Rolldown.RolldownWatcher> {
  const watcher = await build(configOf(name, console.warn, { watch: {} }));
  if (!('on' in watcher)) throw new Error(`The build "${name}" does not watch.`);
  return watcher;
}

function configOf(
  name: BuildName,
  onWarning: (warning: string) => void,
  further: BuildEnvironmentOptions = {},
): InlineConfig {
  return mergeConfig<InlineConfig, InlineConfig>(builds[name], {
    configFile: false,
    plugins: [recordInputs(name)],
    publicDir: false,
    mode: name,
    logLevel: 'silent',
    // A failed build throws what it would log.
    customLogger: { ...createLogger('silent'), warn: onWarning, warnOnce: onWarning },
    build: {
      reportCompressedSize: false,
      // Build times depend on the load of the machine, so warnings about slow plugins are off.
      rolldownOptions: { checks: { pluginTimings: false } },
      ...further,
    },
  });
}

/** Each fault of a failed build, with `file:line:column: error: message` as its first line. */
export function faultsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const errors = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
  return errors.map(({ message }: Error) => {
    const text = stripVTControlCharacters(message);
    const [place = 'vite.config.ts:1:1'] = /[^\s[\]]+:\d+:\d+/.exec(text) ?? [];
    return `${relative('.', place)}: error: ${text}`;
  });
}

export function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
