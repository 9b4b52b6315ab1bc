import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../../webview/', import.meta.url).pathname;
const texts = (ending: string) =>
  globSync(`**/*.${ending}`, { cwd: folder }).map((file) => ({ file, text: readFileSync(folder + file, 'utf8') }));

it('gives every class that a component switches on or off a style', () => {
  const components = texts('svelte');
  const styles = [...texts('css'), ...components].map(({ text }) => text.replace(/^[\s\S]*<style>/, '')).join('\n');
  const unstyled = components.flatMap(({ file, text }) =>
    [...text.matchAll(/\bclass:([\w-]+)/g)]
      .filter(([, name]) => !new RegExp(`\\.${name}(?![\\w-])`).test(styles))
      .map(([, name]) => `${file}: ${name}`),
  );
  expect(unstyled).toEqual([]);
});
