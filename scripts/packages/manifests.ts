import root from '../../package.json' with { type: 'json' };
import oldest from '../../test/packages/peers/oldest/package.json' with { type: 'json' };
import { addressesOf, type Repository } from './addresses.ts';

/** Names of the npm packages. Publisher, version and repository are only in the project's `package.json`. */
export const packageNames = {
  library: 'strata-context',
  cli: 'strata-context-cli',
  encoder: 'strata-context-encoder',
} as const;

export type PackageKind = keyof typeof packageNames;

/** The fields of a `package.json` that npm and the editor read. */
export type Manifest = { readonly name: string; readonly version: string } & Readonly<Record<string, unknown>>;

const project: typeof root & { readonly repository?: Repository } = root;

export const repository: Repository | undefined = project.repository;

export const { version } = root;

const { author, license, publisher } = root;

/**
 * The Marketplace has no pre-release versions as in semantic versioning: here an odd minor number marks a pre-release.
 */
export const isPreRelease = isOdd(Number(version.split('.')[1]));

function isOdd(number: number): boolean {
  return number % 2 === 1;
}

/** `publisher.name`: the extension's id in the Marketplace and in editors. */
export const extensionId = `${publisher}.${root.name}`;

const addresses = addressesOf(repository);

const common = { version, license, author, ...addresses, engines: { node: root.engines.node } };

const keywords = ['agent', 'context window', 'compaction', 'tokens', 'llm', 'memory'];

/** Packages among them that are not peers: only tests use them. */
const ofTests = ['@ai-sdk/openai', '@langchain/openai'];

/** Peer dependencies of the library: what its adapters, stores and exact counts work with, from the oldest version that is tested. */
const tested = Object.fromEntries(
  Object.entries(oldest.dependencies)
    .filter(([name]) => !ofTests.includes(name))
    .map(([name, version]) => [name, `>=${version.replace(/(?:\.0)+$/, '')}`]),
);

const peers = { ...tested, [packageNames.encoder]: version };

const optional = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { optional: true }]));

/** Entry points of the library, by file name. */
const entries = [
  'index',
  'node',
  'openai',
  'fetch',
  'ai-sdk',
  'langchain',
  'stores',
  'sqlite',
  'opentelemetry',
  'o200k',
];

const library: Manifest = {
  name: packageNames.library,
  description:
    'Manages an agent’s context: compaction with undo, a protected core, and adapters for SDKs and frameworks.',
  ...common,
  // Only `strata-context/sqlite` needs the newer Node.js that the project's `engines` names.
  engines: { node: '>=20' },
  keywords,
  type: 'module',
  exports: { ...Object.fromEntries(entries.map(exported)), './package.json': './package.json' },
  sideEffects: ['./dist/library/compacting-thread.js'],
  peerDependencies: peers,
  peerDependenciesMeta: optional(Object.keys(peers)),
};

function exported(name: string): [path: string, conditions: Readonly<Record<string, string>>] {
  return [
    name === 'index' ? '.' : `./${name}`,
    { types: `./dist/library/types/library/${name}.d.ts`, default: `./dist/library/${name}.js` },
  ];
}

/** Peer dependencies of the command. The clients of the other stores are bundled with it. */
const ofCommand = { '@electric-sql/pglite': tested['@electric-sql/pglite'], [packageNames.encoder]: version };

const cli: Manifest = {
  name: packageNames.cli,
  description: 'The strata command: shows, compacts, undoes and protects the context of coding agents.',
  ...common,
  keywords: [...keywords, 'cli', 'mcp'],
  type: 'module',
  bin: { strata: './dist/cli/strata.js' },
  exports: { './package.json': './package.json' },
  peerDependencies: ofCommand,
  peerDependenciesMeta: optional(Object.keys(ofCommand)),
};

const encoder: Manifest = {
  name: packageNames.encoder,
  description: 'The sentence encoder of Strata’s memory strategies: English, 512 dimensions, no network.',
  ...common,
  keywords: ['strata-context', 'sentence embeddings', 'universal sentence encoder'],
  type: 'commonjs',
  main: './encoder.cjs',
  types: './encoder.d.cts',
  exports: { '.': { types: './encoder.d.cts', default: './encoder.cjs' }, './package.json': './package.json' },
};

/** Fields that only development uses: npm, tests and builds. */
const ofProject = ['private', 'scripts', 'devDependencies'];

/** The project's manifest without the fields for development. */
const extension = {
  ...Object.fromEntries(Object.entries(root).filter(([key]) => !ofProject.includes(key))),
  ...addresses,
} as Manifest;

export const manifests = { extension, library, cli, encoder } satisfies Record<string, Manifest>;
