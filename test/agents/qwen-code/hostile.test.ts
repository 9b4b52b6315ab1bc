import { join } from 'node:path';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import { linesOf } from '../../sessions/build';
import { fixtures } from '../../sessions/samples';
import { describeHostileFiles } from '../gemini-cli/hostile-checks';

const lines = linesOf(join(fixtures, 'qwen-code-0.24', 'chats', '8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl'));

describeHostileFiles(qwenCode, lines, (index) => ({
  type: 'assistant',
  uuid: `u${index}`,
  parentUuid: `u${index - 1}`,
  message: { parts: [{ text: 'x' }] },
}));
