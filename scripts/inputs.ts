import { globSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Paths that a build read and wrote. Stored in `dist/builds`, which no package contains. */
interface BuildRecord {
  /** Milliseconds since the epoch; an input that was written later is not in the outputs. */
  readonly started: number;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Folders of the packages that are bundled, wherever npm put them. */
  readonly packages: readonly string[];
}

const root = resolve(import.meta.dirname, '..');

/**
 * Every build depends on these files, but no build imports them. The lock file represents everything in `node_modules`.
 */
const inputsOfAll = ['vite.config.ts', 'tsconfig.json', 'package-lock.json'];

/** Sources that a build reads without importing them: types, of which it makes declarations, and files that it copies. */
const readSources: Readonly<Record<string, string>> = {
  library: 'extension/**/*.ts',
  cli: 'extension/{inside,agents/*/inside}/plugin/**',
};

export function sourcesReadBy(name: string): readonly string[] {
  return globSync(readSources[name] ?? [], { cwd: root });
}

/** Records what the build read and wrote, so that it runs again only after a change. */
export function recordInputs(name: string): Plugin {
  let started = 0;
  return {
    name: 'strata:record-inputs',
    apply: 'build',
    buildStart() {
      started = Date.now();
    },
    async writeBundle({ dir = '' }, bundle) {
      const inputs = [...this.getModuleIds()].map(inProject).filter((path) => path !== null);
      const outputs = Object.keys(bundle).map((file) => relative(root, resolve(root, dir, file)));
      const packages = [...new Set(Object.values(bundle).flatMap(sourcesOf).flatMap(packagesOf))];
      const all = [...new Set([...inputsOfAll, ...inputs, ...sourcesReadBy(name)])];
      const record: BuildRecord = { started, inputs: all, outputs, packages };
      await mkdir(join(root, 'dist/builds'), { recursive: true });
      await writeFile(recordFile(name), JSON.stringify(record));
    },
  };
}

/** Whether the outputs are missing, or older than an input. A build without a record is stale. */
export async function isStale(name: string, project = root): Promise<boolean> {
  const record = await readRecord(recordFile(name, project));
  if (record === null) return true;
  const { started, inputs, outputs } = record;
  const written = await Promise.all([...inputs, ...outputs].map((path) => timeOf(join(project, path))));
  if (written.includes(null)) return true;
  return written.slice(0, inputs.length).some((time) => time !== null && time > started);
}

/** The folders of the packages that this build bundled, including those of fonts. Throws if the build was never run. */
export async function packagesIn(name: string): Promise<readonly string[]> {
  const record = await readRecord(recordFile(name));
  if (record?.packages === undefined) throw new Error(`The build "${name}" has no record: run npm run build.`);
  return record.packages;
}

function sourcesOf(output: Rolldown.OutputChunk | Rolldown.OutputAsset): readonly string[] {
  return output.type === 'chunk' ? output.moduleIds : output.originalFileNames;
}

/** A package that is nested in another one is matched by its own folder. */
const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

function packagesOf(source: string): readonly string[] {
  const [folder] = packageFolder.exec(resolve(root, source).split(sep).join('/')) ?? [];
  return folder === undefined ? [] : [folder];
}

async function readRecord(file: string): Promise<BuildRecord | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // The build was never run, or its record is incomplete.
    return null;
  }
}

/** When a file was last written, in milliseconds since the epoch; null if it does not exist. */
async function timeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return null;
  }
}

function recordFile(name: string, project = root): string {
  return join(project, 'dist/builds', `${name}.json`);
}

/**
 * The path of a module in the project; null for modules that plugins generate and for those of packages. A module's id
 * may end with a query.
 */
function inProject(id: string): string | null {
  if (!isAbsolute(id)) return null;
  const path = relative(root, id.replace(/[?#].*$/, ''));
  return path.startsWith('..') || path.split(sep).includes('node_modules') ? null : path;
}
