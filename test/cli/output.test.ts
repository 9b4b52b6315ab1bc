import { expect, it, vi } from 'vitest';
import { print, printParagraphs, warn } from '../../extension/cli/output';
import { serveLog } from '../../extension/cli/serve-log';
import type { ServedRequest } from '../../extension/gateway/app';

it('shows direction marks and characters without width in what the command line prints', () => {
  const written: string[] = [];
  const write = (text: unknown) => written.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(write);
  vi.spyOn(process.stderr, 'write').mockImplementation(write);
  print('rm \u202egnp.x\u202c\u200b -rf \u001b[31mred\u0007 👩\u200d💻');
  warn('\u2066title\u2069');
  vi.restoreAllMocks();
  expect(written).toEqual([
    'rm ⟨U+202E⟩gnp.x⟨U+202C⟩⟨U+200B⟩ -rf red⟨U+0007⟩ 👩\u200d💻\n',
    'strata: ⟨U+2066⟩title⟨U+2069⟩\n',
  ]);
});

it.each([0, 1, 4])('prints %i long texts in pieces, as it would print them at once', (count) => {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const texts = Array.from({ length: count }, (_, at) => `Text ${at}: ${'x'.repeat(20_000)}\u202e\r`);
  printParagraphs(texts);
  const inPieces = written.splice(0);
  print(texts.join('\n\n'));
  vi.restoreAllMocks();
  expect(inPieces.join('')).toBe(written.join(''));
  expect(inPieces).toHaveLength(count === 4 ? 3 : 1);
});

it.each([true, false])('cuts the name of a model that is a megabyte long in the log (JSON: %s)', (asJson) => {
  const lines: string[] = [];
  const log = serveLog({ asJson, write: (line) => lines.push(line), now: () => '2026-01-01T00:00:00.000Z' });
  const long = 'm'.repeat(1_000_000);
  const sent = { model: long, tokens: 5, blocks: 0 } as ServedRequest['sent'];
  const served = { tenant: 'acme', conversation: long, method: 'POST', path: '/', status: 200, ms: 1, isWhole: true };
  log.request({ ...served, sent } as ServedRequest);
  log.event({ kind: 'overflow', model: long, tokens: 5, contextWindow: 1, conversation: null } as never);
  log.message(`There is no model ${long}.`);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThan(3_000);
  expect(lines[0]).toContain('… (1000000 characters)');
});
