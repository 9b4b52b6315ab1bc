import { describe, expect, it } from 'vitest';
import type { WrittenWriter } from '../../../extension/inside/service/writer';
import { answeredFirst, type FoundWriters, writerOffers } from '../../../extension/inside/writers/offers';
import type { ModelCommand } from '../../../extension/models/command/model-command';
import { presets } from '../../../extension/models/command/presets';

/** Tests of the answers to the question of who writes. */

const command = (id: string) => presets.find((known) => known.id === id) as ModelCommand;
const nothing: FoundWriters = { agents: [], commands: [], chats: [], server: null, local: [] };
const everything: FoundWriters = {
  agents: ['pi'],
  commands: [command('claude'), command('pi')],
  chats: [{ id: 'one', name: 'Model One', vendor: 'copilot' }],
  server: { baseUrl: 'https://models.example/v1', model: 'gpt-5.4-nano' },
  local: [{ server: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'small:7b', contextWindow: 8192 }],
};
const size = { of: 'compaction', sent: 75_300, written: 1400 } as const;

function labels(found: FoundWriters): string[] {
  return writerOffers(found, null).map(({ label }) => String(label));
}

describe('the answers to the question of who writes', () => {
  it("begin with the session's own agent, without any other agent", () => {
    expect(labels(everything)).toEqual([
      'pi (pi -p)',
      'Model One, a language model of VS Code',
      'gpt-5.4-nano at models.example',
      'small:7b at 127.0.0.1:11434',
      'An OpenAI-compatible server…',
      'No model',
    ]);
  });

  it('have the commands of other agents after nearer choices if the session’s own agent is not installed', () => {
    expect(labels({ ...everything, agents: ['kilo'], server: null, local: [] })).toEqual([
      'Model One, a language model of VS Code',
      'Claude Code (claude -p, haiku)',
      'pi (pi -p)',
      'An OpenAI-compatible server…',
      'No model',
    ]);
  });

  it('begin with no model if nothing else works as it is', () => {
    expect(labels(nothing)).toEqual(['No model', 'An OpenAI-compatible server…']);
  });

  it('begin with what the person answered on a terminal, if it is among them', () => {
    const first = (answered: WrittenWriter) =>
      String(answeredFirst(writerOffers(everything, null), answered)[0]?.label);
    const times = { timeoutMs: 1000, contextWindow: 0 };
    const server = { kind: 'openai', baseUrl: 'https://models.example/v1', ...times } as const;
    expect(first({ ...server, model: 'gpt-5.4-nano' })).toBe('gpt-5.4-nano at models.example');
    expect(first({ kind: 'nobody' })).toBe('No model');
    const absent: readonly WrittenWriter[] = [
      { kind: 'unanswered' },
      { ...server, model: 'another' },
      { kind: 'command', agent: 'custom', line: ['llm'], model: '', ...times },
    ];
    for (const answered of absent) expect(first(answered)).toBe('pi (pi -p)');
    expect(answeredFirst(writerOffers(everything, null), { kind: 'nobody' })).toHaveLength(6);
  });

  it('say what each costs and where the text goes', () => {
    const terms = writerOffers({ ...everything, agents: ['claude-code'] }, size).map(({ costs, goes }) => [
      String(costs),
      String(goes),
    ]);
    const tokens = 'a compaction: up to 75.3k tokens read, about 1.4k written';
    expect(terms).toEqual([
      [
        `${tokens}, uses your sign-in and its quota`,
        'the text goes to the provider of Claude Code, which has this session already',
      ],
      [`${tokens}, copilot may charge for it`, 'the text goes to copilot, through VS Code'],
      [
        `about $0.02 at list prices of 2026-11, ${tokens}, the server may charge for it`,
        'the text goes to models.example',
      ],
      [`costs nothing, ${tokens}`, 'nothing leaves this machine'],
      [`${tokens}, the server may charge for it`, 'the text goes to the address that you enter'],
      ['costs nothing', 'nothing leaves this machine'],
    ]);
  });
});
