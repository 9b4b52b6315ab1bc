import type { CompactedAnswer } from '../../../extension/agents/exchange';
import { claudeCode } from '../claude-code';
import { spoken, type Utterance } from '../wire/utterance';
import { describeInside } from './every-plugin';

describeInside({
  agent: claudeCode,
  loads: (folder) => ['--plugin-dir', folder],
  commandFile: 'hooks/command.js',
  types: ({ id }, text) => ({ words: ['--dangerously-skip-permissions', '-r', id, '-p', text] }),
  // By itself it does not know when the scripted model is full.
  variables: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' },
  carried: ({ pieces }) => pieces.flatMap(utterances),
});

function utterances({ role, text, calls, result }: CompactedAnswer['pieces'][number]): Utterance[] {
  if (result !== null) return [{ kind: 'result', callId: result.id, text }];
  const called = calls.map(({ id, name, input }): Utterance => ({ kind: 'call', callId: id, name, input }));
  return [...spoken(role === 'assistant' ? role : 'user', text), ...called];
}
