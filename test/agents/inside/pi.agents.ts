import type { CompactedAnswer } from '../../../extension/agents/exchange';
import { pi } from '../pi';
import { spoken, type Utterance } from '../wire/utterance';
import { describeInside } from './every-plugin';
import type { PluggedAgent } from './plugged';

const piInside: PluggedAgent = {
  agent: pi,
  loads: (folder) => ['-e', folder],
  commandFile: 'command.js',
  asksDirectly: true,
  types: ({ file }, text) => ({ words: ['--session', file, '-p', text] }),
  carried: ({ pieces, result }) => {
    const { summary, firstKeptEntryId } = result as { summary: string; firstKeptEntryId: string | null };
    const kept = pieces.findIndex(({ entry }) => entry === firstKeptEntryId);
    return [...spoken('user', summary), ...pieces.slice(kept < 0 ? pieces.length : kept).flatMap(utterances)];
  },
};

describeInside(piInside);

function utterances({ role, text, calls, result }: CompactedAnswer['pieces'][number]): Utterance[] {
  if (result !== null) return [{ kind: 'result', callId: result.id, text }];
  const called = calls.map(({ id, name, input }): Utterance => ({ kind: 'call', callId: id, name, input }));
  return [...spoken(role === 'assistant' ? role : 'user', text), ...called];
}
