import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTarGzip } from 'nanotar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  downloadEncoder,
  EncoderRefused,
  type EncoderRelease,
  installEncoder,
  npmRegistry,
  readEncoderRelease,
} from '../../../extension/models/embeddings/encoder-installation';
import { integrityOf } from '../../../extension/models/embeddings/integrity';

let temporary = '';
let folder = '';

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'strata-encoder-'));
  folder = join(temporary, 'encoder');
});

afterAll(() => rm(temporary, { recursive: true, force: true }));

const archiveWith = (...names: readonly string[]) =>
  createTarGzip(names.map((name) => ({ name, data: `the text of ${name}` })));

function releaseOf(archive: Uint8Array): EncoderRelease {
  return { version: '1.0.0', integrity: integrityOf(archive), bytes: archive.length };
}

describe('installing the encoder', () => {
  it('puts the files of the archive into the folder, in place of an earlier one', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'earlier.txt'), 'earlier');
    const archive = await archiveWith('package/encoder.cjs', 'package/model.json');
    await installEncoder(archive, releaseOf(archive), folder);
    expect((await readdir(folder)).sort()).toEqual(['encoder.cjs', 'model.json']);
    expect(await readFile(join(folder, 'model.json'), 'utf8')).toBe('the text of package/model.json');
    expect(await readdir(temporary)).toEqual(['encoder']);
  });

  it('refuses an archive with another checksum and leaves the folder as it was', async () => {
    const archive = await archiveWith('package/encoder.cjs');
    const release = releaseOf(await archiveWith('package/encoder.cjs', 'package/other'));
    await expect(installEncoder(archive, release, folder)).rejects.toThrow(
      'This is not strata-context-encoder-1.0.0.tgz: its checksum differs.',
    );
    expect((await readdir(folder)).sort()).toEqual(['encoder.cjs', 'model.json']);
  });

  it('refuses an archive without the program and leaves the folder as it was', async () => {
    const archive = await archiveWith('package/model.json');
    await expect(installEncoder(archive, releaseOf(archive), folder)).rejects.toThrow(
      'The archive has no encoder.cjs.',
    );
    expect((await readdir(folder)).sort()).toEqual(['encoder.cjs', 'model.json']);
    expect(await readdir(temporary)).toEqual(['encoder']);
  });

  it('writes nothing outside its folder', async () => {
    const archive = await archiveWith('package/encoder.cjs', 'package/../../outside.txt', '/tmp/outside.txt');
    await installEncoder(archive, releaseOf(archive), folder);
    expect(await readdir(folder)).toEqual(['encoder.cjs']);
    expect(await readdir(temporary)).toEqual(['encoder']);
  });
});

describe('the release that belongs to this Strata', () => {
  it('is null if Strata was not packaged', async () => {
    expect(await readEncoderRelease(join(temporary, 'nothing.json'))).toBeNull();
  });
});

describe('the registry', () => {
  it.each([
    ['the public one', {}, '', 'https://registry.npmjs.org'],
    ['of npm’s variable', { npm_config_registry: 'https://npm.example/' }, '', 'https://npm.example'],
    ['of the .npmrc', {}, 'fund=false\nregistry = "https://npm.example/a/"\n', 'https://npm.example/a'],
    ['not of a scope', {}, '@anna:registry=https://npm.example\n', 'https://registry.npmjs.org'],
  ])('is %s', (_name, variables, npmrc, registry) => {
    expect(npmRegistry(variables, npmrc)).toBe(registry);
  });
});

describe('downloading the encoder', () => {
  let server: Server;
  let address = '';
  const asked: (string | undefined)[] = [];

  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      asked.push(url);
      if (url === '/strata-context-encoder/1.0.0')
        response.end(JSON.stringify({ dist: { tarball: `${address}/a.tgz` } }));
      else if (url === '/a.tgz') response.end(Buffer.from([1, 2, 3]));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => server.close());

  const release = { version: '1.0.0', integrity: '', bytes: 3 };
  const { signal } = new AbortController();

  it('takes the archive from where the registry says it is', async () => {
    expect(await downloadEncoder(address, release, signal)).toEqual(new Uint8Array([1, 2, 3]));
    expect(asked).toEqual(['/strata-context-encoder/1.0.0', '/a.tgz']);
  });

  it('names the address if the registry does not have it', async () => {
    const missing = downloadEncoder(address, { ...release, version: '2.0.0' }, signal);
    await expect(missing).rejects.toThrow(`${address}/strata-context-encoder/2.0.0 answered 404.`);
  });

  it('names the address that does not answer', async () => {
    const nobody = downloadEncoder('http://127.0.0.1:1', release, signal);
    await expect(nobody).rejects.toThrow(EncoderRefused);
    await expect(nobody).rejects.toThrow('http://127.0.0.1:1/strata-context-encoder/1.0.0 could not be reached');
  });

  it('stops when it is aborted', async () => {
    await expect(downloadEncoder(address, release, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
