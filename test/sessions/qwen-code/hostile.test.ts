import { join } from 'node:path';
import { qwenCode } from '../../../extension/sessions/qwen-code/adapter';
import { linesOf } from '../build';
import { describeHostileFiles } from '../gemini-cli/hostile-checks';
import { fixtures } from '../samples';

const lines = linesOf(join(fixtures, 'qwen-code-0.24', 'chats', '8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl'));

describeHostileFiles(qwenCode, lines, (index) => ({
  type: 'assistant',
  uuid: `u${index}`,
  parentUuid: `u${index - 1}`,
  message: { parts: [{ text: 'x' }] },
}));
