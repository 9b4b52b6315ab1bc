import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Application, TSConfigReader, TypeDocReader } from 'typedoc';
import { expect, it } from 'vitest';

const docs = resolve(import.meta.dirname, '../../docs');

async function pagesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const pages = names.filter((name) => name.endsWith('.md')).sort();
  return Object.fromEntries(
    await Promise.all(pages.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

it('the reference of the library is that of its sources: npm run docs:api', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-api-'));
  const options = { options: join(docs, 'typedoc.json'), logLevel: 'Error' } as const;
  const application = await Application.bootstrapWithPlugins(options, [new TypeDocReader(), new TSConfigReader()]);
  const project = await application.convert();
  if (!project) throw new Error('TypeDoc could not read the sources.');
  await application.outputs.writeOutput({ name: 'markdown', path: folder }, project);
  expect(await pagesIn(folder)).toEqual(await pagesIn(join(docs, 'api')));
}, 120_000);
