import { describe, expect, it } from 'vitest';
import { summarizerOffers } from '../../../extension/host/models/summarizer-offers';
import { presets } from '../../../extension/models/command/presets';
import type { LocalModel } from '../../../extension/models/local-servers/local-servers';

const local: readonly LocalModel[] = [
  { server: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'small:7b', contextWindow: 8192 },
  { server: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', model: 'unloaded', contextWindow: null },
];
const agents = presets
  .filter(({ id }) => id === 'claude' || id === 'codex')
  .map((command) => ({ command, model: command.cheapestModel }));
const chats = [{ id: 'one', name: 'Model One', vendor: 'copilot', maxInputTokens: 64_000 }];
const size = { of: 'compaction', sent: 75_300, written: 1400 } as const;
const all = { local, agents, chats, serverModel: null };

function details(...from: Parameters<typeof summarizerOffers>): Record<string, string> {
  const offers = summarizerOffers(...from).flatMap((group) => group.offers);
  return Object.fromEntries(offers.map(({ label, detail }) => [label, detail]));
}

describe('the offers of summarizers', () => {
  it('are ranked by where the text goes, the nearest place first', () => {
    const groups = summarizerOffers(all, size);
    expect(groups.map(({ place, offers }) => [place, offers.map(({ label }) => label)])).toEqual([
      ['On this machine', ['No model', 'small:7b', 'unloaded']],
      ['To the provider of an agent that is installed here', ['Claude Code', 'Codex']],
      ['To another server: models of VS Code', ['Model One']],
      ['To a destination of your own', ['OpenAI-Compatible…', 'A Command of Your Own…']],
    ]);
  });

  it('have no heading without an offer below it', () => {
    const groups = summarizerOffers({ local: [], agents: [], chats: [], serverModel: null }, null);
    expect(groups.map(({ offers }) => offers.map(({ label }) => label))).toEqual([
      ['No model'],
      ['OpenAI-Compatible…', 'A Command of Your Own…'],
    ]);
  });

  it('say for each model what a compaction of the open session takes', () => {
    const { 'No model': none, ...models } = details(all, size);
    expect(none).toBe('costs nothing; nothing leaves this machine');
    expect(models['Claude Code']).toBe(
      'a compaction: up to 75.3k tokens read, about 1.4k written, uses your sign-in and its quota; the text goes to the provider of Claude Code',
    );
    for (const detail of Object.values(models)) expect(detail).toContain('75.3k tokens');
  });

  it('state a price if it is listed, and say so if nothing is paid', () => {
    const priced = (models: typeof all | Parameters<typeof summarizerOffers>[0]) =>
      Object.entries(details(models, size)).filter(([, detail]) => /costs|\$/.test(detail));
    expect(priced(all).map(([label]) => label)).toEqual(['No model', 'small:7b', 'unloaded']);
    const known = {
      ...all,
      agents: agents.map(({ command }) => ({ command, model: 'claude-haiku-4-5' })),
      serverModel: 'gpt-5.4-nano',
    };
    expect(Object.fromEntries(priced(known))).toMatchObject({
      'Claude Code': expect.stringContaining('about $0.09 at list prices of 2026-11, a compaction: up to 75.3k'),
      'OpenAI-Compatible…': expect.stringMatching(/^now gpt-5\.4-nano; about \$0\.02 at list prices/),
    });
  });

  it('say what one block takes if only that is written', () => {
    const { Codex } = details(all, { of: 'block', sent: 8_200, written: 600 });
    expect(Codex).toMatch(/^this block: up to 8\.2k tokens read, about 600 written,/);
  });

  it('leave the tokens out if no session is open', () => {
    expect(details(all, null)).toEqual({
      'No model': 'costs nothing; nothing leaves this machine',
      'small:7b': 'costs nothing; nothing leaves this machine',
      unloaded: 'costs nothing; nothing leaves this machine',
      'Claude Code': 'uses your sign-in and its quota; the text goes to the provider of Claude Code',
      Codex: 'uses your sign-in and its quota; the text goes to the provider of Codex',
      'Model One': 'copilot may charge for it; the text goes to copilot, through VS Code',
      'OpenAI-Compatible…': 'the server may charge for it; the text goes to the address that you enter',
      'A Command of Your Own…': 'your command may charge for it; the text goes where your command sends it',
    });
  });

  it('name a window only if the server says it', () => {
    const [here] = summarizerOffers(all, null);
    expect(here?.offers.map(({ description }) => description)).toEqual([
      'messages are quoted, and omissions are marked',
      `Ollama, ${(8192).toLocaleString()} tokens`,
      'LM Studio',
    ]);
  });
});
