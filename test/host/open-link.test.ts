import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openLink } from '../../extension/host/panel/open-link';

const shown: string[] = [];
const opened: string[] = [];

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, at) => values[Number(at)] ?? '') },
  Uri: {
    parse: (text: string) => ({ scheme: text.slice(0, text.indexOf(':')), toString: () => decodeURIComponent(text) }),
  },
  window: {
    showInformationMessage: async (message: string, options: { detail: string }, open: string) => {
      shown.push(message, options.detail);
      return open;
    },
    showWarningMessage: async (message: string) => {
      shown.push(message);
    },
  },
  env: { openExternal: async (uri: unknown) => opened.push(String(uri)) },
}));

const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

beforeEach(() => {
  shown.length = 0;
  opened.length = 0;
});

describe('a link in a message', () => {
  it('a link in a message is shown for confirmation before it is opened', async () => {
    await openLink('https://example.com/a?b=c');
    expect(shown.at(-1)).toContain('https://example.com/a?b=c');
    expect(opened).toHaveLength(1);
  });

  it.each([
    ['https://example.com/%E2%80%AEgpj.exe', '%E2%80%AEgpj.exe'],
    ['https://example.com/%0A%0AAll%20is%20well', '%0A%0AAll%20is%20well'],
    ['https://example.com/\u4f60', '%E4%BD%A0'],
  ])('a link in a message is shown in its encoded form: %j', async (url, part) => {
    await openLink(url);
    expect(shown.at(-1)).toContain(part);
    expect(shown.join('')).not.toMatch(unseen);
  });

  it.each([
    'https://example.com/\u202Egpj.exe',
    'https://example.com/\nAll is well',
    'https://exam\u200Bple.com/',
    'command:\u202Enoitca',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'no link',
  ])('a link in a message is refused without showing control characters: %j', async (url) => {
    await openLink(url);
    expect(opened).toEqual([]);
    expect(shown).toHaveLength(1);
    expect(shown.join('')).not.toMatch(unseen);
  });
});
