import { describe, expect, it, vi } from 'vitest';
import { copiedText, placeText, setupsFor } from '../../../extension/host/gateway/setups';

vi.mock('vscode', () => ({
  l10n: { t: (message: string, ...values: unknown[]) => message.replace(/\{(\d)\}/g, (_, at) => String(values[at])) },
}));

const setups = setupsFor({ url: 'http://127.0.0.1:4321', token: 'the-token-of-the-gateway' }, 'linux');
const address = 'http://127.0.0.1:4321/the-token-of-the-gateway';

describe('the copied set-up of an agent', () => {
  it('offers the set-up of four agents and two libraries', () => {
    const names = ['Codex', 'Claude Code', 'pi', 'OpenCode', 'OpenAI SDK', 'Anthropic SDK'];
    expect(setups.map(({ name }) => name)).toEqual(names);
  });

  it('the copied set-up of an agent contains the address with the token', () => {
    expect(setups.filter(({ text }) => !text.includes(address))).toEqual([]);
    const texts = new Map(setups.map(({ name, text }) => [name, text]));
    expect(texts.get('OpenAI SDK')).toBe(`export OPENAI_BASE_URL=${address}/openai/v1`);
    expect(texts.get('Anthropic SDK')).toBe(`export ANTHROPIC_BASE_URL=${address}/anthropic`);
  });

  it('the copied set-up is indented for a file and one line for a terminal', () => {
    for (const { text, place } of setups) {
      if (place.kind === 'file') expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
      else expect(text).not.toContain('\n');
    }
  });

  it('is for PowerShell on Windows', () => {
    const windows = setupsFor({ url: 'http://127.0.0.1:4321', token: 'the-token-of-the-gateway' }, 'win32');
    const texts = new Map(windows.map(({ name, text }) => [name, text]));
    expect(texts.get('OpenAI SDK')).toBe(`$env:OPENAI_BASE_URL = '${address}/openai/v1'`);
    expect(windows.map(({ place }) => place.kind)).toEqual(setups.map(({ place }) => place.kind));
  });

  it('comes with where to put it', () => {
    for (const setup of setups.filter(({ place }) => place.kind === 'file')) {
      expect(copiedText(setup)).toContain(placeText(setup));
      expect(copiedText(setup)).toContain(setup.name);
    }
  });
});
