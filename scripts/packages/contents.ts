import type { BuildName } from '../../vite.config.ts';
import { type Manifest, manifests, packageNames } from './manifests.ts';

/** The contents of a package, and the source of its third-party notices. */
export interface Contents {
  readonly manifest: Manifest;
  /** The builds whose outputs it contains. */
  readonly builds: readonly BuildName[];
  /** Files and folders, by their path in the project. */
  readonly files: readonly string[];
  /** Their folder in the package, if it differs. */
  readonly within?: string;
  readonly readme: string;
}

const readmes = 'scripts/packages/readmes';

export const contents = {
  extension: {
    manifest: manifests.extension,
    builds: ['host', 'cli', 'webview', 'dashboard'],
    files: [
      ...['dist/host', 'dist/cli', 'dist/webview', 'dist/dashboard', 'dist/agents'],
      ...['media', 'package.nls.json', 'CHANGELOG.md'],
    ],
    readme: 'README.md',
  },
  library: {
    manifest: manifests.library,
    builds: ['library'],
    files: ['dist/library'],
    readme: `${readmes}/library.md`,
  },
  cli: {
    manifest: manifests.cli,
    builds: ['cli', 'dashboard'],
    files: ['dist/cli', 'dist/dashboard', 'dist/agents'],
    readme: `${readmes}/cli.md`,
  },
  encoder: {
    manifest: manifests.encoder,
    builds: ['embeddings'],
    files: [`dist/node_modules/${packageNames.encoder}`],
    within: '.',
    readme: `${readmes}/encoder.md`,
  },
} satisfies Record<string, Contents>;

export type Artefact = keyof typeof contents;
