import { join } from 'node:path';
import { geminiCli } from '../../../extension/agents/gemini-cli/format/adapter';
import { linesOf } from '../../sessions/build';
import { fixtures } from '../../sessions/samples';
import { describeHostileFiles } from './hostile-checks';

const lines = linesOf(join(fixtures, 'gemini-cli-0.61', 'chats', 'session-2026-11-22T07-07-d29945c1.jsonl'));

describeHostileFiles(geminiCli, lines, (index) => ({
  id: `m${index}`,
  type: 'gemini',
  content: 'x',
  toolCalls: [{ id: 'same', name: 'n', result: 'r' }],
}));
