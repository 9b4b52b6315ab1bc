import { describe, expect, it } from 'vitest';
import { summarizerOffers } from '../../../extension/host/models/summarizer-offers';
import { presets } from '../../../extension/models/command/presets';
import type { LocalModel } from '../../../extension/models/local-servers/local-servers';

const local: readonly LocalModel[] = [
  { server: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'small:7b', contextWindow: 8192 },
  { server: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', model: 'unloaded', contextWindow: null },
];
const agents = presets.filter(({ id }) => id === 'claude' || id === 'codex');
const chats = [{ id: 'one', name: 'Model One', vendor: 'copilot', maxInputTokens: 64_000 }];
const size = { sent: 75_300, written: 1400 };

function details(...from: Parameters<typeof summarizerOffers>): Record<string, string> {
  const offers = summarizerOffers(...from).flatMap((group) => group.offers);
  return Object.fromEntries(offers.map(({ label, detail }) => [label, detail]));
}

describe('the offers of summarizers', () => {
  it('are ranked by where the text goes, the nearest place first', () => {
    const groups = summarizerOffers({ local, agents, chats }, size);
    expect(groups.map(({ place, offers }) => [place, offers.map(({ label }) => label)])).toEqual([
      ['On this machine', ['No model (extractive)', 'small:7b', 'unloaded']],
      ['To the provider of an agent that is installed here', ['Claude Code', 'Codex']],
      ['To another server: models of VS Code', ['Model One']],
      ['To wherever you say: your own', ['OpenAI-Compatible…', 'A Command of Your Own…']],
    ]);
  });

  it('have no heading without an offer below it', () => {
    const groups = summarizerOffers({ local: [], agents: [], chats: [] }, null);
    expect(groups.map(({ offers }) => offers.map(({ label }) => label))).toEqual([
      ['No model (extractive)'],
      ['OpenAI-Compatible…', 'A Command of Your Own…'],
    ]);
  });

  it('say for each model what a compaction of the open session takes', () => {
    const { 'No model (extractive)': extractive, ...models } = details({ local, agents, chats }, size);
    expect(extractive).toBe('costs nothing');
    expect(models['Claude Code']).toBe(
      'uses your sign-in; the text goes to the provider of Claude Code; a compaction reads at most about 75.3k tokens, writes about 1.4k',
    );
    for (const detail of Object.values(models)) expect(detail).toContain('75.3k tokens');
  });

  it('say a price only where there is none', () => {
    const free = Object.entries(details({ local, agents, chats }, size)).filter(([, detail]) =>
      /costs|free|\$|€/.test(detail),
    );
    expect(free.map(([label]) => label)).toEqual(['No model (extractive)', 'small:7b', 'unloaded']);
  });

  it('leave the tokens out where no session is open', () => {
    expect(details({ local, agents, chats }, null)).toEqual({
      'No model (extractive)': 'costs nothing',
      'small:7b': 'runs on this machine; nothing leaves it; costs nothing',
      unloaded: 'runs on this machine; nothing leaves it; costs nothing',
      'Claude Code': 'uses your sign-in; the text goes to the provider of Claude Code',
      Codex: 'uses your sign-in; the text goes to the provider of Codex',
      'Model One': '',
      'OpenAI-Compatible…': '',
      'A Command of Your Own…': '',
    });
  });

  it('name a window only where the server says it', () => {
    const [here] = summarizerOffers({ local, agents, chats }, null);
    expect(here?.offers.map(({ description }) => description)).toEqual([
      'no model; nothing leaves this machine',
      `Ollama, ${(8192).toLocaleString()} tokens`,
      'LM Studio',
    ]);
  });
});
